/**
 * `/api/webhooks`: receivers that are notified of a tenant's finished jobs. Deliveries follow Standard Webhooks and are
 * signed with the webhook's own secret, which is shown on creation and never stored.
 */
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import { quotasOf, WEBHOOK_EVENT_TYPES, type Webhook, writtenSecret } from '../../jobs/index.js';
import { isUuid } from '../../uuid.js';
import type { App, AppDeps } from '../app-env.js';
import { idempotently } from '../middleware/idempotency.js';
import { jsonBody } from '../middleware/json-body.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, tenantWith } from '../records.js';
import { createErrors, storeErrors } from '../views/error-responses.js';
import {
  createdResponse,
  IdempotencyHeaders,
  idParam,
  jsonRequest,
  jsonResponse,
  NO_STORE,
  operations,
} from '../views/operation.js';
import { iso, isoOrNull, time } from '../views/time.js';

const URL_CHARS_MAX = 2048;
const operation = operations('Webhooks');

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

const WebhookRequest = z
  .strictObject({
    url: z.string().min(1).max(URL_CHARS_MAX),
    events: z
      .array(z.enum(WEBHOOK_EVENT_TYPES))
      .min(1)
      .max(WEBHOOK_EVENT_TYPES.length)
      .optional()
      .describe('Events to deliver. All by default.'),
  })
  .meta({ id: 'WebhookRequest' });

const list = operation.get('/api/webhooks', 'listWebhooks', {
  summary: 'List webhooks',
  description: 'Scope `admin`.',
  responses: {
    200: jsonResponse(
      'All webhooks of the tenant.',
      z.object({ webhooks: z.array(WebhookView) }).meta({ id: 'Webhooks' }),
    ),
    ...storeErrors(),
  },
});

const create = operation.post('/api/webhooks', 'createWebhook', {
  middleware: jsonBody({ allow: 'admin' }),
  summary: 'Create a webhook for finished jobs',
  description:
    'Scope `admin`. Deliveries follow Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), ' +
    'happen at least once and are retried for about three days.',
  request: { headers: IdempotencyHeaders, ...jsonRequest(WebhookRequest) },
  responses: { 201: createdResponse('Created.', NewWebhookView), ...createErrors('WEBHOOK_URL_REJECTED') },
});

const remove = operation.delete('/api/webhooks/{webhookId}', 'deleteWebhook', {
  summary: 'Delete a webhook and its pending deliveries',
  description: 'Scope `admin`.',
  request: { params: idParam('webhookId', 64) },
  responses: { 204: { description: 'Deleted.' }, ...storeErrors('WEBHOOK_NOT_FOUND') },
});

export function addWebhooks(app: App, { records }: AppDeps): void {
  if (!records) return;
  const { store, key } = records.webhooks;

  app.openapi(list, async (c) => {
    const tenant = await tenantWith(c, records, 'admin');
    return c.json({ webhooks: (await store.list(tenant.id)).map(viewOf) }, 200, NO_STORE);
  });

  app.openapi(create, async (c) => {
    const tenant = await tenantWith(c, records, 'admin');
    const { url, events = WEBHOOK_EVENT_TYPES } = c.req.valid('json');
    refuseReceiver(url, records);
    const max = quotasOf(tenant).webhooks;
    const created = await idempotently(c, {
      records,
      tenant,
      async run(webhookId) {
        const wanted = [...new Set(events)];
        const fields = { webhookId, tenantId: tenant.id, url, events: wanted, keyId: key.keyId };
        if ((await store.create(fields, max)) === 'full') throw tooMany(max);
        const webhook = await store.get(tenant.id, webhookId);
        if (!webhook) throw new SondeError('INTERNAL', 'the webhook was created but cannot be read back');
        const location = absoluteUrl(c, `/api/webhooks/${webhookId}`);
        // The response is stored without secrets, and the URL may contain one.
        return { status: 201, body: { ...viewOf(webhook), url: '' }, location };
      },
    });
    // Added here so that they are not stored with the idempotent response.
    const unstored = { url, secret: writtenSecret(key.secretOf(created.body.webhookId)) };
    return c.json({ ...created.body, ...unstored }, 201, NO_STORE);
  });

  app.openapi(remove, async (c) => {
    const tenant = await tenantWith(c, records, 'admin');
    const { webhookId } = c.req.valid('param');
    const removed = isUuid(webhookId) && (await store.remove(tenant.id, webhookId));
    if (!removed) throw new SondeError('WEBHOOK_NOT_FOUND', 'Webhook not found.');
    return c.body(null, 204);
  });
}

function viewOf({ webhookId, url, events, createdAt, lastStatus, lastAt }: Webhook) {
  return {
    webhookId,
    url,
    events: [...events],
    createdAt: iso(createdAt),
    lastStatus,
    lastAt: isoOrNull(lastAt),
  };
}

function refuseReceiver(url: string, { webhooks, redact }: AppRecords): void {
  const refused =
    webhooks.refusal(url) ??
    (redact(url) === url
      ? undefined
      : { rule: 'secret_in_url', message: 'it appears to contain a credential' });
  if (!refused) return;
  throw new SondeError('WEBHOOK_URL_REJECTED', `The receiver was rejected: ${refused.message}`, {
    details: { rule: refused.rule, field: 'body.url' },
  });
}

function tooMany(max: number): SondeError {
  return new SondeError('QUOTA_EXCEEDED', `The tenant can have at most ${max} webhooks. Delete one first.`, {
    details: { quota: 'webhooks', max },
  });
}
