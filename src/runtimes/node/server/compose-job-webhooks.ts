/**
 * Composes the webhooks of finished jobs: their keys, the sealing of receivers' URLs, and the dispatcher. Checks that the
 * keys open what is stored.
 */
import { createWebhookSender } from '../../../api/webhook-sender.js';
import { createWebhookKey, sealWebhookUrls, WebhookDispatcher } from '../../../jobs/index.js';
import { createSecretBox } from '../../../streams/index.js';
import { createOutboundClient, type OutboundOptions } from '../net.js';
import { findLostSeals, type SealCheck } from './check-seals.js';
import type { RecordStoreSet, RecordsOptions } from './compose-records.js';
import { nativeCipher } from './native-cipher.js';

const PURPOSE = 'sonde tenant webhook urls';

interface WebhookParts {
  readonly keys: readonly string[];
  readonly clock: () => number;
  readonly openSide: SealCheck['openSide'];
}

export async function composeJobWebhooks(
  { settings: { jobs }, secrets, net, openLoopback, log }: RecordsOptions,
  stores: Pick<RecordStoreSet, 'webhooks' | 'sealedRows'>,
  { keys, clock, openSide }: WebhookParts,
) {
  const box = createSecretBox(keys, PURPOSE, nativeCipher);
  const store = sealWebhookUrls(stores.webhooks, box);
  const sender = openSender(net, openLoopback);
  const key = createWebhookKey(jobs.webhookSecret ?? (await secrets.webhooks()).signingSeed);
  const parts = { log, clock, random: Math.random };
  const dispatcher = new WebhookDispatcher({ ...parts, store, outbound: sender, key });
  const check = { keyId: key.keyId, webhookBox: box, openSide, log };
  const lostSeals = await findLostSeals(stores.sealedRows, check);
  const refusal = (url: string) => sender.refusal(url);
  return { forRecords: { store, key, refusal }, sender, dispatcher, lostSeals };
}

/** Origins that are allowed only temporarily cannot receive webhooks. */
function openSender({ openOrigins: _closed, ...net }: OutboundOptions, openLoopback: boolean) {
  return createWebhookSender({ net, openOutbound: createOutboundClient, openLoopback });
}
