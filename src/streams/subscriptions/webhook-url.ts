/** Seals the receiver's URL for its own subscription. Copied to another subscription's row, it cannot be opened. */
import type { SubscriptionBase } from './subscription-deps.js';
import type { SubscriptionConfig } from './subscription-store.js';

/** The purpose from which the key of the box is derived. */
export const URL_PURPOSE = 'sonde webhook url';

type Box = Pick<SubscriptionBase, 'box'>;
type Owner = Pick<SubscriptionConfig, 'tenant' | 'id' | 'nonce'>;

export async function sealUrl({ box }: Box, owner: Owner, url: string | null): Promise<string | null> {
  return url === null ? null : box.seal(url, nameOf(owner));
}

/** Returns null if there is no URL, or if the key is no longer available. */
export async function openUrl(
  { box }: Box,
  { webhookSealed, ...owner }: Owner & Pick<SubscriptionConfig, 'webhookSealed'>,
): Promise<string | null> {
  return webhookSealed === null ? null : ((await box.open(webhookSealed, nameOf(owner))) ?? null);
}

function nameOf({ tenant, id, nonce }: Owner): string {
  return JSON.stringify(['webhook', tenant, id, nonce]);
}
