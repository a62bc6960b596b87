/** The receiver of a subscription, sealed for it alone: a row that is copied to another opens nothing there. */
import type { SubscriptionBase } from './subscription-deps.js';
import type { SubscriptionConfig } from './subscription-store.js';

/** What the key of the box is derived for. */
export const URL_PURPOSE = 'sonde webhook url';

type Box = Pick<SubscriptionBase, 'box'>;
type Owner = Pick<SubscriptionConfig, 'tenant' | 'id' | 'nonce'>;

export async function sealUrl({ box }: Box, owner: Owner, url: string | null): Promise<string | null> {
  return url === null ? null : box.seal(url, nameOf(owner));
}

/** Null where there is none, or where the key has gone. */
export async function openUrl(
  { box }: Box,
  { webhookSealed, ...owner }: Owner & Pick<SubscriptionConfig, 'webhookSealed'>,
): Promise<string | null> {
  return webhookSealed === null ? null : ((await box.open(webhookSealed, nameOf(owner))) ?? null);
}

function nameOf({ tenant, id, nonce }: Owner): string {
  return JSON.stringify(['webhook', tenant, id, nonce]);
}
