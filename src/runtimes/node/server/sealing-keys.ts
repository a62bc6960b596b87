/**
 * The keys that seal what rests in the store of records: the sides of comparisons and the URLs of webhooks. The first
 * seals, all of them open, so a key is replaced by putting a new one in front.
 */
import type { Log } from '../../../log.js';
import { readOrCreateSealingKeys, readOrCreateWebhookKeys } from './secrets.js';

export interface SealingOptions {
  readonly dataDir: string;
  readonly sealingSecret?: readonly string[];
  readonly webhookSecret?: string;
  readonly log: Log;
}

/** As base64url. */
export async function sealingKeys(options: SealingOptions): Promise<readonly string[]> {
  const { dataDir, sealingSecret, webhookSecret, log } = options;
  const shared = webhookSecret === undefined ? [] : [encoded(webhookSecret)];
  if (sealingSecret) return [...sealingSecret.map(encoded), ...shared];
  if (webhookSecret !== undefined) {
    // Processes that share the webhook secret run on several machines; a key file would be one machine's own.
    log.warn('comparison requests are encrypted with a key derived from jobs.webhookSecret', {
      advice: 'set jobs.sealingSecret',
    });
    return shared;
  }
  const { callbackKey } = await readOrCreateWebhookKeys(dataDir);
  // What was sealed before there was a key of its own.
  return [...(await readOrCreateSealingKeys(dataDir)), callbackKey];
}

function encoded(secret: string): string {
  return Buffer.from(secret).toString('base64url');
}
