/**
 * Seals the URLs of receivers in the store, because their path is often the credential.
 */
import type { WebhookStore } from './webhook.js';

interface UrlBox {
  seal(text: string, owner: string): Promise<string>;
  /** Resolves to undefined if the text was sealed with another key. */
  open(sealed: string, owner: string): Promise<string | undefined>;
}

/** No outbound client accepts this URL, so its deliveries fail with an error. */
export const UNREADABLE_URL = 'about:sealed-under-another-key';

export function sealWebhookUrls(store: WebhookStore, box: UrlBox): WebhookStore {
  const openUrl = async <Row extends { readonly webhookId: string; readonly url: string }>(
    row: Row,
  ): Promise<Row> => ({ ...row, url: (await box.open(row.url, row.webhookId)) ?? UNREADABLE_URL });
  return {
    async create(webhook, max) {
      return store.create({ ...webhook, url: await box.seal(webhook.url, webhook.webhookId) }, max);
    },
    async get(tenantId, webhookId) {
      const found = await store.get(tenantId, webhookId);
      return found && openUrl(found);
    },
    list: async (tenantId) => Promise.all((await store.list(tenantId)).map(openUrl)),
    remove: (tenantId, webhookId) => store.remove(tenantId, webhookId),
    claimDue: async (request) => Promise.all((await store.claimDue(request)).map(openUrl)),
    settle: (settlement) => store.settle(settlement),
    prune: (request) => store.prune(request),
  };
}
