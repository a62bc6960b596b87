/**
 * Deliveries follow Standard Webhooks and are signed with the webhook's own secret, which is shown on creation and never
 * stored.
 */
import { SondeError } from '../../errors.js';
import { quotasOf, WEBHOOK_EVENT_TYPES, type Webhook, writtenSecret } from '../../jobs/index.js';
import { type Operation, serve } from '../../kernel/operation.js';
import { jsonReply, NO_CONTENT, NO_STORE } from '../../kernel/reply.js';
import { isUuid } from '../../uuid.js';
import { createdHeaders, createOnce } from '../idempotency.js';
import { type AppRecords, type RecordServices, tenantOf } from '../records.js';
import { iso, isoOrNull } from '../views/time.js';
import * as facts from './facts.js';
import * as schemas from './schemas.js';

const listWebhooks = serve(
  facts.listWebhooks,
  schemas.listWebhooks,
  async (call, _input, { records }: RecordServices) => {
    const { id } = await tenantOf(call, records);
    return jsonReply({ webhooks: (await records.webhooks.store.list(id)).map(viewOf) }, NO_STORE);
  },
);

const createWebhook = serve(
  facts.createWebhook,
  schemas.createWebhook,
  async (call, { json: { url, events = WEBHOOK_EVENT_TYPES }, text }, { records, log }: RecordServices) => {
    const { store, key } = records.webhooks;
    const tenant = await tenantOf(call, records);
    refuseReceiver(url, records);
    const max = quotasOf(tenant).webhooks;
    const created = await createOnce(call, text, {
      records,
      tenant,
      log,
      async run(webhookId) {
        const wanted = [...new Set(events)];
        const fields = { webhookId, tenantId: tenant.id, url, events: wanted, keyId: key.keyId };
        if ((await store.create(fields, max)) === 'full') throw tooMany(max);
        const webhook = await store.get(tenant.id, webhookId);
        if (!webhook) throw new SondeError('INTERNAL', 'the webhook was created but cannot be read back');
        const location = call.absolute(`/api/webhooks/${webhookId}`);
        // The response is stored without secrets, and the URL may contain one.
        return { status: 201, body: { ...viewOf(webhook), url: '' }, location };
      },
    });
    // Added here so that they are not stored with the idempotent response.
    const unstored = { url, secret: writtenSecret(key.secretOf(created.body.webhookId)) };
    return jsonReply({ ...created.body, ...unstored }, { ...NO_STORE, ...createdHeaders(created) }, 201);
  },
);

const deleteWebhook = serve(
  facts.deleteWebhook,
  schemas.deleteWebhook,
  async (call, { params: { webhookId } }, { records }: RecordServices) => {
    const { id } = await tenantOf(call, records);
    const removed = isUuid(webhookId) && (await records.webhooks.store.remove(id, webhookId));
    if (!removed) throw new SondeError('WEBHOOK_NOT_FOUND', 'Webhook not found.');
    return NO_CONTENT;
  },
);

export const WEBHOOK_OPERATIONS: readonly Operation<RecordServices>[] = [
  listWebhooks,
  createWebhook,
  deleteWebhook,
];

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
