/** Puts subscriptions together on the embedded engine: the store's own file, its keys, and the way out. */
import { createWebhookDoor } from '../../../api/webhook-door.js';
import { type StreamService, SubscriptionService, type SubscriptionStore } from '../../../streams/index.js';
import { createDoor, type DoorOptions } from '../net.js';
import { createSecretBox } from './secret-box.js';
import { readOrCreateWebhookKeys } from './secrets.js';
import type { ServeOptions } from './start-server.js';
import { createWebhookSigner } from './webhook-signer.js';

export interface ServerSubscriptions {
  readonly service: SubscriptionService;
  stop(): Promise<void>;
}

export type SubscriptionsOptions = Pick<ServeOptions, 'dataDir' | 'auth' | 'log' | 'publicUrl'> & {
  readonly net?: DoorOptions;
};

export async function composeSubscriptions(
  { dataDir, auth, log, publicUrl, net = {} }: SubscriptionsOptions,
  { store, streams }: { readonly store: SubscriptionStore; readonly streams: StreamService },
  clock: () => number,
): Promise<ServerSubscriptions> {
  const { signingSeed, callbackKey } = await readOrCreateWebhookKeys(dataDir);
  // Without authentication the server listens on loopback only, or it does not start.
  const door = createWebhookDoor({ net, openDoor: createDoor, openLoopback: auth === 'none' });
  const service = new SubscriptionService({
    store,
    streams,
    door,
    signer: createWebhookSigner(signingSeed),
    box: createSecretBox(callbackKey, 'sonde webhook url'),
    tokenKey: new Uint8Array(Buffer.from(callbackKey, 'base64url')),
    log,
    clock,
    ...(publicUrl !== undefined && { publicUrl }),
  });
  const stop = async () => {
    await service.stop();
    await door.close();
  };
  streams.onChanged(service.onStreamChanged);
  await service.start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { service, stop };
}
