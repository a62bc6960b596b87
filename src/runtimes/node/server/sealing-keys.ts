/**
 * The keys that seal data in the record stores: the sides of comparisons and the URLs of webhooks. The first one seals
 * and all of them open, so a key is rotated by adding a new one in front.
 */
import type { Log } from '../../../log.js';
import { readOrCreateSealingKeys } from './secrets.js';

export interface SealingOptions {
  readonly dataDir: string;
  readonly sealingSecret?: readonly string[];
  readonly webhookSecret?: string;
  readonly log: Log;
}

export async function sealingKeys(options: SealingOptions): Promise<readonly string[]> {
  const { dataDir, sealingSecret, webhookSecret, log } = options;
  const shared = webhookSecret === undefined ? [] : [encoded(webhookSecret)];
  if (sealingSecret) return [...sealingSecret.map(encoded), ...shared];
  if (webhookSecret !== undefined) {
    // Processes that share the webhook secret may run on several machines, which do not share a key file.
    log.warn('comparison requests are encrypted with a key derived from jobs.webhookSecret', {
      advice: 'set jobs.sealingSecret',
    });
    return shared;
  }
  return readOrCreateSealingKeys(dataDir);
}

function encoded(secret: string): string {
  return Buffer.from(secret).toString('base64url');
}
