/** The OpenAPI description of `/v1/stream/__ds/*`. The routes are in `subscriptions.ts`. */
import * as z from 'zod';
import type { App } from '../app-env.js';
import { errorResponses, storeErrors } from '../views/error-responses.js';
import { jsonRequest, jsonResponse, NO_SECURITY, operations, optionalText } from '../views/operation.js';

const BASE = '/v1/stream/__ds';
const ONE = `${BASE}/subscriptions/{id}`;
const operation = operations('Subscriptions');
const params = z.object({ id: z.string().describe('Name of the subscription, 1 to 256 characters.') });
const HOLDING = ['RATE_LIMITED', 'TOKEN_INVALID', 'FENCED', 'STORAGE_UNAVAILABLE', 'STORAGE_FULL'] as const;

const SubscriptionRequest = z
  .object({
    type: z.enum(['webhook', 'pull-wake']),
    pattern: optionalText('Streams to follow: `*` for one segment, `**` for any number.'),
    streams: z
      .array(z.string())
      .optional()
      .describe('Paths of streams to follow. Give `pattern`, `streams` or both.'),
    webhook: z
      .object({ url: z.string() })
      .optional()
      .describe('The receiver. Required with the type `webhook`.'),
    wake_stream: optionalText('The stream that announces wakes. Required with the type `pull-wake`.'),
    lease_ttl_ms: z.number().optional().describe('1,000 to 600,000. Default 30,000.'),
    description: z.string().optional(),
  })
  .openapi('SubscriptionRequest');

const Link = z.object({
  path: z.string(),
  link_type: z.enum(['explicit', 'glob']),
  acked_offset: z.string(),
});

const Subscription = z
  .object({
    id: z.string(),
    subscription_id: z.string(),
    type: z.enum(['webhook', 'pull-wake']),
    pattern: z.string().optional(),
    streams: z.array(Link),
    webhook: z
      .object({
        url: z
          .string()
          .nullable()
          .describe('Credentials are hidden. Null if the key that encrypted it is lost.'),
        signing: z.object({ alg: z.literal('ed25519'), kid: z.string(), jwks_url: z.string() }),
      })
      .optional(),
    wake_stream: z.string().optional(),
    lease_ttl_ms: z.number(),
    created_at: z.string(),
    linking: z
      .object({ linked: z.int(), total: z.int() })
      .optional()
      .describe('Present while streams that matched at creation are still being linked in the background.'),
    status: z.enum(['active', 'failed']).describe('`failed` while the last delivery failed; it is retried.'),
    retry: z
      .object({ attempts: z.int(), next_at: z.string() })
      .optional()
      .describe('Failed attempts of this wake, and when the webhook is called again, within 15 minutes.'),
    description: z.string().optional(),
  })
  .openapi('Subscription');

const Wake = z
  .object({
    wake_id: z.string(),
    generation: z.number(),
    token: z.string().describe('The credential of `ack` and `release`.'),
    streams: z.array(Link.extend({ tail_offset: z.string(), has_pending: z.boolean() })),
    lease_ttl_ms: z.number(),
  })
  .openapi('Wake');

const WakeName = z.object({ wake_id: z.string(), generation: z.number() }).openapi('WakeName');

const Acks = WakeName.extend({
  acks: z.array(z.object({ stream: z.string(), offset: z.string() })).optional(),
  done: z.boolean().optional().describe('Ends the wake. Otherwise its lease is renewed.'),
}).openapi('WakeAcks');

const Acked = z.object({ ok: z.literal(true), next_wake: z.boolean() }).openapi('WakeAcked');

const ROUTES = [
  operation.put(ONE, 'createSubscription', {
    summary: 'Create a subscription',
    description: 'Scope `stream:write`. Webhooks are signed and sent under the address policy.',
    request: { params, ...jsonRequest(SubscriptionRequest) },
    responses: {
      200: jsonResponse('It already exists with the same configuration.', Subscription),
      201: jsonResponse('Created.', Subscription),
      ...storeErrors(
        'STORAGE_FULL',
        'WEBHOOK_URL_REJECTED',
        'SUBSCRIPTION_ALREADY_EXISTS',
        'SUBSCRIPTION_TOO_LARGE',
        'TOO_MANY_SUBSCRIPTIONS',
      ),
    },
  }),
  operation.get(ONE, 'getSubscription', {
    summary: 'Get a subscription and its acknowledged offsets',
    description: 'Scope `stream:read`.',
    request: { params },
    responses: {
      200: jsonResponse('The subscription.', Subscription),
      ...storeErrors('SUBSCRIPTION_NOT_FOUND'),
    },
  }),
  operation.delete(ONE, 'deleteSubscription', {
    summary: 'Delete a subscription',
    description: 'Scope `stream:write`.',
    request: { params },
    responses: {
      204: { description: 'There is no subscription with this name.' },
      ...storeErrors('STORAGE_FULL'),
    },
  }),
  operation.post(`${ONE}/streams`, 'addSubscriptionStreams', {
    summary: 'Add streams to a subscription',
    description: 'Scope `stream:write`.',
    request: { params, ...jsonRequest(z.object({ streams: z.array(z.string()) })) },
    responses: {
      204: { description: 'The streams are followed.' },
      ...storeErrors(
        'STORAGE_FULL',
        'SUBSCRIPTION_NOT_FOUND',
        'SUBSCRIPTION_TOO_LARGE',
        'TOO_MANY_SUBSCRIPTIONS',
      ),
    },
  }),
  operation.delete(`${ONE}/streams/{path}`, 'removeSubscriptionStream', {
    summary: 'Remove a stream from a subscription',
    description: 'Scope `stream:write`. A stream that matches the pattern is still followed.',
    request: { params: params.extend({ path: z.string().describe('Path of the stream.') }) },
    responses: {
      204: { description: 'The stream is no longer followed by name.' },
      ...storeErrors('STORAGE_FULL', 'SUBSCRIPTION_NOT_FOUND'),
    },
  }),
  operation.post(`${ONE}/claim`, 'claimWake', {
    summary: 'Claim the wake of a pull-wake subscription',
    description: 'Scope `stream:write`. One worker at a time holds it, until its lease ends.',
    request: { params, ...jsonRequest(z.object({ worker: z.string() })) },
    responses: {
      200: jsonResponse('The wake is claimed.', Wake),
      ...storeErrors('STORAGE_FULL', 'SUBSCRIPTION_NOT_FOUND', 'ALREADY_CLAIMED', 'NO_PENDING_WORK'),
    },
  }),
  ...(['callback', 'ack'] as const).map((action) =>
    operation.post(`${ONE}/${action}`, action === 'ack' ? 'ackWake' : 'callbackWake', {
      summary:
        action === 'ack'
          ? 'Acknowledge offsets as the worker that holds the wake'
          : 'Acknowledge offsets as the webhook',
      description: 'The bearer token is the one that came with the wake; no other is accepted.',
      request: { params, ...jsonRequest(Acks) },
      responses: {
        200: jsonResponse('Acknowledged.', Acked),
        ...errorResponses(...HOLDING, 'INVALID_OFFSET', 'SUBSCRIPTION_TOO_LARGE'),
      },
    }),
  ),
  operation.post(`${ONE}/release`, 'releaseWake', {
    summary: 'Release a wake',
    description: 'The bearer token is the one that came with the wake; no other is accepted.',
    request: { params, ...jsonRequest(WakeName) },
    responses: {
      204: { description: 'Released; another worker may claim it.' },
      ...errorResponses(...HOLDING),
    },
  }),
  operation.get(`${BASE}/jwks.json`, 'getWebhookKeys', {
    security: NO_SECURITY,
    summary: 'Get the public keys of webhook signatures',
    description: 'Needs no credential.',
    responses: {
      200: {
        description: 'A JSON Web Key Set.',
        content: { 'application/jwk-set+json': { schema: z.object({ keys: z.array(z.looseObject({})) }) } },
      },
      ...errorResponses('RATE_LIMITED'),
    },
  }),
];

export function describeSubscriptions(app: App): void {
  for (const route of ROUTES) app.openAPIRegistry.registerPath(route);
}
