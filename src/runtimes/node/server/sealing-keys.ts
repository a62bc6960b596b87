/**
 * The keys that seal data in the record stores: the sides of comparisons and the URLs of webhooks. The first one seals
 * and all of them open, so a key is rotated by adding a new one in front.
 */
import type { Log } from '../../../log.js';
import type { ServerSecrets } from './secrets.js';

export interface SealingOptions {
  readonly secrets: Pick<ServerSecrets, 'sealing' | 'webhooks'>;
  readonly sealingSecret?: readonly string[] | undefined;
  readonly webhookSecret?: string | undefined;
  readonly log: Log;
}

export async function sealingKeys(options: SealingOptions): Promise<readonly string[]> {
  const { secrets, sealingSecret, webhookSecret, log } = options;
  const shared = webhookSecret === undefined ? [] : [encoded(webhookSecret)];
  if (sealingSecret) return [...sealingSecret.map(encoded), ...shared];
  if (webhookSecret !== undefined) {
    // Processes that share the webhook secret may run on several machines, which do not share a key file.
    log.warn('comparison requests are encrypted with a key derived from jobs.webhookSecret', {
      advice: 'set jobs.sealingSecret',
    });
    return shared;
  }
  const { callbackKey } = await secrets.webhooks();
  // The callback key opens data from before there was a sealing key.
  return [...(await secrets.sealing()), callbackKey];
}

function encoded(secret: string): string {
  return Buffer.from(secret).toString('base64url');
}
