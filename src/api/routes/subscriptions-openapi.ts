/** `/v1/stream/__ds/*` as the OpenAPI document describes it. The routes themselves are in `subscriptions.ts`. */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import type { ErrorCode } from '../../errors.js';
import type { App } from '../app-env.js';
import { errorResponses } from '../views/error-responses.js';

const BASE = '/v1/stream/__ds';
const ONE = `${BASE}/subscriptions/{id}`;
const TAG = 'Subscriptions';
const security = [{ bearer: [] as string[] }, { session: [] as string[] }];
const params = z.object({ id: z.string().describe("The subscription's name, 1 to 256 characters.") });
const REACHING = [
  'INVALID_REQUEST',
  'MISSING_SECRET',
  'INVALID_SECRET',
  'FORBIDDEN',
  'RATE_LIMITED',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
const WRITING = [...REACHING, 'BODY_TOO_LARGE', 'STORAGE_FULL'] as const;
const HOLDING = ['INVALID_REQUEST', 'TOKEN_INVALID', 'FENCED', 'BODY_TOO_LARGE', 'STORAGE_FULL'] as const;

const json = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } });
const body = <S extends z.ZodType>(schema: S) => ({ body: { required: true, content: json(schema) } });

const Wanted = z
  .object({
    type: z.enum(['webhook', 'pull-wake']),
    pattern: z.string().optional().describe('Streams to follow: `*` for one segment, `**` for any number.'),
    streams: z.array(z.string()).optional().describe('Paths to follow by name; `pattern`, these, or both.'),
    webhook: z.object({ url: z.string() }).optional().describe('Who is called; needed with `webhook`.'),
    wake_stream: z
      .string()
      .optional()
      .describe('The stream that wakes are announced on; needed with `pull-wake`.'),
    lease_ttl_ms: z.number().optional().describe('1,000 to 600,000; 30,000 by default.'),
    description: z.string().optional(),
  })
  .openapi('SubscriptionRequest');

const Subscription = z
  .object({
    id: z.string(),
    subscription_id: z.string(),
    type: z.enum(['webhook', 'pull-wake']),
    pattern: z.string().optional(),
    streams: z.array(
      z.object({ path: z.string(), link_type: z.enum(['explicit', 'glob']), acked_offset: z.string() }),
    ),
    webhook: z
      .object({
        url: z
          .string()
          .nullable()
          .describe('Credentials in it are hidden; null if the key that sealed it is gone.'),
        signing: z.object({ alg: z.literal('ed25519'), kid: z.string(), jwks_url: z.string() }),
      })
      .optional(),
    wake_stream: z.string().optional(),
    lease_ttl_ms: z.number(),
    created_at: z.string(),
    status: z.enum(['active', 'failed']),
    description: z.string().optional(),
  })
  .openapi('Subscription');

const Wake = z
  .object({
    wake_id: z.string(),
    generation: z.number(),
    token: z.string().describe('The credential of `ack` and `release`.'),
    streams: z.array(
      z.object({
        path: z.string(),
        link_type: z.enum(['explicit', 'glob']),
        acked_offset: z.string(),
        tail_offset: z.string(),
        has_pending: z.boolean(),
      }),
    ),
    lease_ttl_ms: z.number(),
  })
  .openapi('Wake');

const WakeName = z.object({ wake_id: z.string(), generation: z.number() }).openapi('WakeName');

const Acks = WakeName.extend({
  acks: z.array(z.object({ stream: z.string(), offset: z.string() })).optional(),
  done: z.boolean().optional().describe('Ends the wake; else its lease is renewed.'),
}).openapi('WakeAcks');

const Acked = z.object({ ok: z.literal(true), next_wake: z.boolean() }).openapi('WakeAcked');

const shared = { tags: [TAG], security };
const ROUTES = [
  createRoute({
    ...shared,
    method: 'put',
    path: ONE,
    operationId: 'createSubscription',
    summary: 'Create a subscription, or find that the same one is there',
    description: 'Scope `stream:write`. Webhooks are signed and leave through the guarded door.',
    request: { params, ...body(Wanted) },
    responses: {
      200: { description: 'It was there already, with the same configuration.', content: json(Subscription) },
      201: { description: 'Created.', content: json(Subscription) },
      ...errorResponses(
        ...WRITING,
        'WEBHOOK_URL_REJECTED',
        'SUBSCRIPTION_ALREADY_EXISTS',
        'SUBSCRIPTION_TOO_LARGE',
        'TOO_MANY_SUBSCRIPTIONS',
      ),
    },
  }),
  createRoute({
    ...shared,
    method: 'get',
    path: ONE,
    operationId: 'getSubscription',
    summary: 'A subscription and how far its streams are acknowledged',
    description: 'Scope `stream:read`.',
    request: { params },
    responses: {
      200: { description: 'The subscription.', content: json(Subscription) },
      ...errorResponses(...REACHING, 'SUBSCRIPTION_NOT_FOUND'),
    },
  }),
  createRoute({
    ...shared,
    method: 'delete',
    path: ONE,
    operationId: 'deleteSubscription',
    summary: 'Delete a subscription',
    description: 'Scope `stream:write`.',
    request: { params },
    responses: { 204: { description: 'There is none of that name now.' }, ...errorResponses(...WRITING) },
  }),
  createRoute({
    ...shared,
    method: 'post',
    path: `${ONE}/streams`,
    operationId: 'addSubscriptionStreams',
    summary: 'Follow more streams by name',
    description: 'Scope `stream:write`.',
    request: { params, ...body(z.object({ streams: z.array(z.string()) })) },
    responses: {
      204: { description: 'They are followed.' },
      ...errorResponses(
        ...WRITING,
        'SUBSCRIPTION_NOT_FOUND',
        'SUBSCRIPTION_TOO_LARGE',
        'TOO_MANY_SUBSCRIPTIONS',
      ),
    },
  }),
  createRoute({
    ...shared,
    method: 'delete',
    path: `${ONE}/streams/{path}`,
    operationId: 'removeSubscriptionStream',
    summary: 'No longer follow a stream by name',
    description: 'Scope `stream:write`. One that the pattern matches stays followed.',
    request: { params: params.extend({ path: z.string().describe("The stream's path.") }) },
    responses: {
      204: { description: 'It is not followed by name.' },
      ...errorResponses(...WRITING, 'SUBSCRIPTION_NOT_FOUND'),
    },
  }),
  createRoute({
    ...shared,
    method: 'post',
    path: `${ONE}/claim`,
    operationId: 'claimWake',
    summary: 'Take the wake of a pull-wake subscription',
    description: 'Scope `stream:write`. One worker at a time holds it, for the lease.',
    request: { params, ...body(z.object({ worker: z.string() })) },
    responses: {
      200: { description: 'The wake is yours.', content: json(Wake) },
      ...errorResponses(...WRITING, 'SUBSCRIPTION_NOT_FOUND', 'ALREADY_CLAIMED', 'NO_PENDING_WORK'),
    },
  }),
  ...(['callback', 'ack'] as const).map((action) =>
    createRoute({
      ...shared,
      method: 'post',
      path: `${ONE}/${action}`,
      operationId: action === 'ack' ? 'ackWake' : 'callbackWake',
      summary:
        action === 'ack' ? 'Acknowledge as the worker that holds a wake' : 'Acknowledge as the webhook',
      description: 'The bearer is the token that came with the wake, and nothing else.',
      request: { params, ...body(Acks) },
      responses: {
        200: { description: 'Acknowledged.', content: json(Acked) },
        ...errorResponses(...HOLDING, 'INVALID_OFFSET', 'SUBSCRIPTION_TOO_LARGE', 'STORAGE_UNAVAILABLE'),
      },
    }),
  ),
  createRoute({
    ...shared,
    method: 'post',
    path: `${ONE}/release`,
    operationId: 'releaseWake',
    summary: 'Give a wake back',
    description: 'The bearer is the token that came with the wake, and nothing else.',
    request: { params, ...body(WakeName) },
    responses: {
      204: { description: 'Another worker may claim it.' },
      ...errorResponses(...HOLDING, 'STORAGE_UNAVAILABLE'),
    },
  }),
  createRoute({
    method: 'get',
    path: `${BASE}/jwks.json`,
    operationId: 'getWebhookKeys',
    tags: [TAG],
    summary: 'The public keys that webhooks are signed with',
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
