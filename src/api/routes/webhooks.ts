/**
 * `/api/webhooks`: where a tenant wants to hear that jobs have ended. Calls follow Standard Webhooks and are
 * signed with a secret of the webhook's own, which is shown when it is made and kept nowhere.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import { quotasOf, WEBHOOK_EVENT_TYPES, type Webhook, writtenSecret } from '../../jobs/index.js';
import { isUuid } from '../../uuid.js';
import type { App, AppDeps } from '../app-env.js';
import { IDEMPOTENCY_ERRORS, idempotently } from '../middleware/idempotency.js';
import { jsonBody } from '../middleware/json-body.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, RECORD_ERRORS, RECORD_SECURITY, tenantWith } from '../records.js';
import { errorResponses } from '../views/error-responses.js';

const TAGS = ['Webhooks'];
const URL_CHARS_MAX = 2048;

const WebhookView = z
  .object({
    webhookId: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
    createdAt: z.iso.datetime(),
    lastStatus: z.string().nullable().describe('The status or error code of the last delivery tried.'),
    lastAt: z.iso.datetime().nullable(),
  })
  .openapi('Webhook');

const NewWebhookView = WebhookView.extend({
  secret: z.string().describe('`whsec_…`; shown now and never again.'),
}).openapi('NewWebhook');

const list = createRoute({
  method: 'get',
  path: '/api/webhooks',
  operationId: 'listWebhooks',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'The webhooks of this tenant',
  responses: {
    200: {
      description: 'All of them.',
      content: {
        'application/json': { schema: z.object({ webhooks: z.array(WebhookView) }).openapi('Webhooks') },
      },
    },
    ...errorResponses(...RECORD_ERRORS),
  },
});

const create = createRoute({
  method: 'post',
  path: '/api/webhooks',
  operationId: 'createWebhook',
  tags: TAGS,
  security: RECORD_SECURITY,
  middleware: jsonBody({ allow: 'admin' }),
  summary: 'Be told when jobs end',
  description:
    'Calls carry `webhook-id`, `webhook-timestamp` and `webhook-signature` as Standard Webhooks has them, come at ' +
    'least once, and are tried again for about three days. Works with `Idempotency-Key`.',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z
            .strictObject({
              url: z.string().min(1).max(URL_CHARS_MAX),
              events: z.array(z.enum(WEBHOOK_EVENT_TYPES)).min(1).max(WEBHOOK_EVENT_TYPES.length).optional(),
            })
            .openapi('WebhookRequest', { description: 'Without `events` it hears of all.' }),
        },
      },
    },
  },
  responses: {
    201: { description: 'Made.', content: { 'application/json': { schema: NewWebhookView } } },
    ...errorResponses(
      ...RECORD_ERRORS,
      ...IDEMPOTENCY_ERRORS,
      'INVALID_REQUEST',
      'WEBHOOK_URL_REJECTED',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ),
  },
});

const remove = createRoute({
  method: 'delete',
  path: '/api/webhooks/{webhookId}',
  operationId: 'deleteWebhook',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'Stop being told',
  request: {
    params: z.object({
      webhookId: z
        .string()
        .min(1)
        .max(64)
        .openapi({ param: { name: 'webhookId', in: 'path' } }),
    }),
  },
  responses: {
    204: { description: 'Gone, with what was still to be delivered.' },
    ...errorResponses(...RECORD_ERRORS, 'WEBHOOK_NOT_FOUND'),
  },
});

export function addWebhooks(app: App, { records }: AppDeps): void {
  if (!records) return;
  const { store, key } = records.webhooks;

  app.openapi(list, async (c) => {
    const tenant = await tenantWith(c, records, 'admin');
    c.header('Cache-Control', 'no-store');
    return c.json({ webhooks: (await store.list(tenant.id)).map(viewOf) }, 200);
  });

  app.openapi(create, async (c) => {
    const tenant = await tenantWith(c, records, 'admin');
    const { url, events = WEBHOOK_EVENT_TYPES } = c.req.valid('json');
    refuseReceiver(url, records);
    const max = quotasOf(tenant).webhooks;
    const made = await idempotently(c, {
      records,
      tenant,
      async run(webhookId) {
        const fields = {
          webhookId,
          tenantId: tenant.id,
          url,
          events: [...new Set(events)],
          keyId: key.keyId,
        };
        if ((await store.create(fields, max)) === 'full') throw tooMany(max);
        const webhook = await store.get(tenant.id, webhookId);
        if (!webhook) throw new SondeError('INTERNAL', 'the webhook that was made is not there');
        const location = absoluteUrl(c, `/api/webhooks/${webhookId}`);
        // A kept response holds no secret, and the URL may be one.
        return { status: 201, body: { ...viewOf(webhook), url: '' }, location };
      },
    });
    if (made.location) c.header('Location', made.location);
    c.header('Cache-Control', 'no-store');
    // Joined to the answer here, so that it is not kept with it.
    return c.json({ ...made.body, url, secret: writtenSecret(key.secretOf(made.body.webhookId)) }, 201);
  });

  app.openapi(remove, async (c) => {
    const tenant = await tenantWith(c, records, 'admin');
    const { webhookId } = c.req.valid('param');
    const removed = isUuid(webhookId) && (await store.remove(tenant.id, webhookId));
    if (!removed) throw new SondeError('WEBHOOK_NOT_FOUND', 'There is no such webhook.');
    return c.body(null, 204);
  });
}

function viewOf({ webhookId, url, events, createdAt, lastStatus, lastAt }: Webhook) {
  return {
    webhookId,
    url,
    events: [...events],
    createdAt: new Date(createdAt).toISOString(),
    lastStatus,
    lastAt: lastAt === null ? null : new Date(lastAt).toISOString(),
  };
}

function refuseReceiver(url: string, { webhooks, redact }: AppRecords): void {
  const refused =
    webhooks.refusal(url) ??
    (redact(url) === url ? undefined : { rule: 'secret_in_url', message: 'it seems to carry a credential' });
  if (!refused) return;
  throw new SondeError('WEBHOOK_URL_REJECTED', `The receiver is refused: ${refused.message}`, {
    details: { rule: refused.rule, field: 'body.url' },
  });
}

function tooMany(max: number): SondeError {
  return new SondeError('QUOTA_EXCEEDED', `The tenant may have ${max} webhooks.`, {
    details: { quota: 'webhooks', max },
  });
}
