import * as z from 'zod';
import { WEBHOOK_EVENT_TYPES } from '../../jobs/index.js';
import type { Schemas } from '../../kernel/operation.js';
import { createdResponse, idParam, jsonResponse } from '../views/operation.js';
import { time } from '../views/time.js';

const URL_CHARS_MAX = 2048;
const tag = 'Webhooks';

const WebhookView = z
  .object({
    webhookId: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
    createdAt: time,
    lastStatus: z.string().nullable().describe('Status or error code of the last delivery attempt.'),
    lastAt: time.nullable(),
  })
  .meta({ id: 'Webhook' });

const NewWebhookView = WebhookView.and(
  z.object({
    secret: z.string().describe('Signing secret (`whsec_…`). It is shown only once.'),
  }),
).meta({ id: 'NewWebhook' });

export const listWebhooks = {
  tag,
  summary: 'List webhooks',
  replies: {
    200: jsonResponse(
      'All webhooks of the tenant.',
      z.object({ webhooks: z.array(WebhookView) }).meta({ id: 'Webhooks' }),
    ),
  },
} satisfies Schemas;

export const createWebhook = {
  tag,
  summary: 'Create a webhook for finished jobs',
  description:
    'Deliveries follow Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), ' +
    'happen at least once and are retried for about three days.',
  json: z
    .strictObject({
      url: z.string().min(1).max(URL_CHARS_MAX),
      events: z
        .array(z.enum(WEBHOOK_EVENT_TYPES))
        .min(1)
        .max(WEBHOOK_EVENT_TYPES.length)
        .optional()
        .describe('Events to deliver. All by default.'),
    })
    .meta({ id: 'WebhookRequest' }),
  replies: { 201: createdResponse('Created.', NewWebhookView) },
} satisfies Schemas;

export const deleteWebhook = {
  tag,
  summary: 'Delete a webhook and its pending deliveries',
  params: idParam('webhookId', 64),
  replies: { 204: { description: 'Deleted.' } },
} satisfies Schemas;
