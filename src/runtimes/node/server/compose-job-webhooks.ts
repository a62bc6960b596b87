/** Composes the webhooks of finished jobs: their keys, the sealing of receivers' URLs, and the dispatcher. */
import { createWebhookSender } from '../../../api/webhook-sender.js';
import {
  createWebhookKey,
  sealWebhookUrls,
  WebhookDispatcher,
  type WebhookStore,
} from '../../../jobs/index.js';
import { createSecretBox } from '../../../streams/index.js';
import { createOutboundClient, type OutboundOptions } from '../net.js';
import type { RecordsOptions } from './compose-records.js';
import { nativeCipher } from './native-cipher.js';
import { readOrCreateWebhookKeys } from './secrets.js';

const PURPOSE = 'sonde tenant webhook urls';

interface WebhookParts {
  readonly keys: readonly string[];
  readonly clock: () => number;
}

export async function composeJobWebhooks(
  { net = {}, openLoopback, log, webhookSecret, dataDir }: RecordsOptions,
  stored: WebhookStore,
  { keys, clock }: WebhookParts,
) {
  const box = createSecretBox(keys, PURPOSE, nativeCipher);
  const store = sealWebhookUrls(stored, box);
  const sender = openSender(net, openLoopback);
  const key = createWebhookKey(webhookSecret ?? (await readOrCreateWebhookKeys(dataDir)).signingSeed);
  const parts = { log, clock, random: Math.random };
  const dispatcher = new WebhookDispatcher({ ...parts, store, outbound: sender, key });
  return { box, store, sender, key, dispatcher };
}

/** Origins that are allowed only temporarily cannot receive webhooks. */
function openSender({ openOrigins: _closed, ...net }: OutboundOptions, openLoopback: boolean) {
  return createWebhookSender({ net, openOutbound: createOutboundClient, openLoopback });
}
