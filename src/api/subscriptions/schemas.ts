/** Describes the protocol of subscriptions. It parses its bodies itself. */
import * as z from 'zod';
import type { Schemas } from '../../kernel/operation.js';
import { jsonResponse, optionalText } from '../views/operation.js';

const tag = 'Subscriptions';
const params = z.object({ id: z.string().describe('Name of the subscription, 1 to 256 characters.') });

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
  .meta({ id: 'SubscriptionRequest' });

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
  .meta({ id: 'Subscription' });

const Wake = z
  .object({
    wake_id: z.string(),
    generation: z.number(),
    token: z.string().describe('The credential of `ack` and `release`.'),
    streams: z.array(Link.extend({ tail_offset: z.string(), has_pending: z.boolean() })),
    lease_ttl_ms: z.number(),
  })
  .meta({ id: 'Wake' });

const WakeName = z.object({ wake_id: z.string(), generation: z.number() }).meta({ id: 'WakeName' });

const Acks = WakeName.and(
  z.object({
    acks: z.array(z.object({ stream: z.string(), offset: z.string() })).optional(),
    done: z.boolean().optional().describe('Ends the wake. Otherwise its lease is renewed.'),
  }),
).meta({ id: 'WakeAcks' });

const Acked = z.object({ ok: z.literal(true), next_wake: z.boolean() }).meta({ id: 'WakeAcked' });

export const createSubscription: Schemas = {
  tag,
  summary: 'Create a subscription',
  description: 'Webhooks are signed and sent under the address policy.',
  params,
  json: SubscriptionRequest,
  replies: {
    200: jsonResponse('It already exists with the same configuration.', Subscription),
    201: jsonResponse('Created.', Subscription),
  },
};

export const getSubscription: Schemas = {
  tag,
  summary: 'Get a subscription and its acknowledged offsets',
  params,
  replies: { 200: jsonResponse('The subscription.', Subscription) },
};

export const deleteSubscription: Schemas = {
  tag,
  summary: 'Delete a subscription',
  params,
  replies: { 204: { description: 'There is no subscription with this name.' } },
};

export const addSubscriptionStreams: Schemas = {
  tag,
  summary: 'Add streams to a subscription',
  params,
  json: z.object({ streams: z.array(z.string()) }),
  replies: { 204: { description: 'The streams are followed.' } },
};

export const removeSubscriptionStream: Schemas = {
  tag,
  summary: 'Remove a stream from a subscription',
  description: 'A stream that matches the pattern is still followed.',
  params: params.extend({ path: z.string().describe('Path of the stream.') }),
  replies: { 204: { description: 'The stream is no longer followed by name.' } },
};

export const claimWake: Schemas = {
  tag,
  summary: 'Claim the wake of a pull-wake subscription',
  description: 'One worker at a time holds it, until its lease ends.',
  params,
  json: z.object({ worker: z.string() }),
  replies: { 200: jsonResponse('The wake is claimed.', Wake) },
};

export const callbackWake: Schemas = {
  tag,
  summary: 'Acknowledge offsets as the webhook',
  params,
  json: Acks,
  replies: { 200: jsonResponse('Acknowledged.', Acked) },
};

export const ackWake: Schemas = {
  ...callbackWake,
  summary: 'Acknowledge offsets as the worker that holds the wake',
};

export const releaseWake: Schemas = {
  tag,
  summary: 'Release a wake',
  params,
  json: WakeName,
  replies: { 204: { description: 'Released; another worker may claim it.' } },
};

export const getWebhookKeys: Schemas = {
  tag,
  summary: 'Get the public keys of webhook signatures',
  description: 'Needs no credential.',
  replies: {
    200: {
      description: 'A JSON Web Key Set.',
      content: { 'application/jwk-set+json': { schema: z.object({ keys: z.array(z.looseObject({})) }) } },
    },
  },
};
