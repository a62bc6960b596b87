/** Composes subscriptions on the embedded engine: the streams file, the keys, and the webhook sender. */
import { createWebhookSender } from '../../../api/webhook-sender.js';
import type { Settings } from '../../../config/settings.js';
import type { Log } from '../../../log.js';
import {
  createSecretBox,
  createWebhookSigner,
  type ReadTenantLimits,
  type StreamService,
  SubscriptionService,
  type SubscriptionStore,
  URL_PURPOSE,
} from '../../../streams/index.js';
import { createOutboundClient, type OutboundOptions } from '../net.js';
import { lostLine, SEALS_CHECKED_MAX } from './check-seals.js';
import { nativeCipher } from './native-cipher.js';
import type { ServerSecrets } from './secrets.js';

interface SubscriptionsOptions {
  readonly settings: Pick<Settings, 'server'>;
  readonly secrets: Pick<ServerSecrets, 'webhooks'>;
  readonly net: OutboundOptions;
  readonly log: Log;
}

interface SubscriptionsHost {
  readonly store: SubscriptionStore;
  readonly streams: StreamService;
  readonly tenantLimits: ReadTenantLimits;
  readonly clock: () => number;
  readonly steady: () => number;
}

export interface ComposedSubscriptions {
  readonly service: SubscriptionService;
  /** What cannot be opened with the keys of this server. */
  readonly lostSeals: readonly string[];
  stop(): Promise<void>;
}

export async function composeSubscriptions(
  { settings: { server }, secrets, net, log }: SubscriptionsOptions,
  host: SubscriptionsHost,
): Promise<ComposedSubscriptions> {
  const { signingSeed, callbackKey } = await secrets.webhooks();
  // Without authentication the server only listens on loopback, so loopback receivers are allowed.
  const outbound = createWebhookSender({
    net,
    openOutbound: createOutboundClient,
    openLoopback: server.auth === 'none',
  });
  const service = new SubscriptionService({
    ...host,
    outbound,
    signer: await createWebhookSigner(signingSeed),
    box: createSecretBox(callbackKey, URL_PURPOSE, nativeCipher),
    tokenKey: new Uint8Array(Buffer.from(callbackKey, 'base64url')),
    log,
    ...(server.publicUrl !== undefined && { publicUrl: server.publicUrl }),
  });
  const stop = async () => {
    await service.stop();
    await outbound.close();
  };
  host.streams.onChanged(({ id }) => service.onStreamChanged(id));
  try {
    await service.start();
    const unreadable = await service.countUnreadable(SEALS_CHECKED_MAX);
    const lostSeals = lostLine(unreadable, 'webhooks of subscriptions cannot be called');
    for (const lost of lostSeals) log.warn(lost);
    return { service, lostSeals, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
