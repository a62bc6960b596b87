/** Composes subscriptions on the embedded engine: the streams file, the keys, and the webhook sender. */
import { createWebhookSender } from '../../../api/webhook-sender.js';
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
import { nativeCipher } from './native-cipher.js';
import { readOrCreateWebhookKeys } from './secrets.js';
import type { ServeOptions } from './start-server.js';

export interface ServerSubscriptions {
  readonly service: SubscriptionService;
  stop(): Promise<void>;
}

export type SubscriptionsOptions = Pick<ServeOptions, 'dataDir' | 'auth' | 'log' | 'publicUrl'> & {
  readonly net?: OutboundOptions;
};

interface SubscriptionsHost {
  readonly store: SubscriptionStore;
  readonly streams: StreamService;
  readonly tenantLimits: ReadTenantLimits;
}

export async function composeSubscriptions(
  { dataDir, auth, log, publicUrl, net = {} }: SubscriptionsOptions,
  { store, streams, tenantLimits }: SubscriptionsHost,
  clock: () => number,
): Promise<ServerSubscriptions> {
  const { signingSeed, callbackKey } = await readOrCreateWebhookKeys(dataDir);
  // Without authentication the server only listens on loopback, so loopback receivers are allowed.
  const outbound = createWebhookSender({
    net,
    openOutbound: createOutboundClient,
    openLoopback: auth === 'none',
  });
  const service = new SubscriptionService({
    store,
    streams,
    tenantLimits,
    outbound,
    signer: await createWebhookSigner(signingSeed),
    box: createSecretBox(callbackKey, URL_PURPOSE, nativeCipher),
    tokenKey: new Uint8Array(Buffer.from(callbackKey, 'base64url')),
    log,
    clock,
    ...(publicUrl !== undefined && { publicUrl }),
  });
  const stop = async () => {
    await service.stop();
    await outbound.close();
  };
  streams.onChanged(({ id }) => service.onStreamChanged(id));
  await service.start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { service, stop };
}
