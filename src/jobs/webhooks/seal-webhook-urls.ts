/**
 * Keeps the URLs of receivers sealed in the store: their paths often are the credential. Rows of earlier versions
 * hold them in clear and are read as they are.
 */
import type { WebhookStore } from './webhook.js';

interface UrlBox {
  seal(text: string, owner: string): Promise<string>;
  /** Undefined for what was sealed under another key. */
  open(sealed: string, owner: string): Promise<string | undefined>;
}

/** No outbound client accepts it, so its deliveries fail with an error. */
export const UNREADABLE_URL = 'about:sealed-under-another-key';

export function sealWebhookUrls(store: WebhookStore, box: UrlBox): WebhookStore {
  const opened = async <Row extends { readonly webhookId: string; readonly url: string }>(
    row: Row,
  ): Promise<Row> =>
    /^https?:/i.test(row.url)
      ? row
      : { ...row, url: (await box.open(row.url, row.webhookId)) ?? UNREADABLE_URL };
  return {
    async create(webhook, max) {
      return store.create({ ...webhook, url: await box.seal(webhook.url, webhook.webhookId) }, max);
    },
    async get(tenantId, webhookId) {
      const found = await store.get(tenantId, webhookId);
      return found && opened(found);
    },
    list: async (tenantId) => Promise.all((await store.list(tenantId)).map(opened)),
    remove: (tenantId, webhookId) => store.remove(tenantId, webhookId),
    claimDue: async (request) => Promise.all((await store.claimDue(request)).map(opened)),
    settle: (settlement) => store.settle(settlement),
    prune: (request) => store.prune(request),
  };
}
