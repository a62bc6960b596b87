/** Composes durable streams and their subscriptions over their stores. */
import type { Metrics } from '../../../api/metrics/metrics.js';
import { type ReadTenantLimits, StreamService } from '../../../streams/index.js';
import type { OutboundOptions } from '../net.js';
import { nextTurn } from '../next-turn.js';
import { composeSubscriptions } from './compose-subscriptions.js';
import { openStreamStores, type StreamStoresOptions } from './open-stream-stores.js';
import type { ServerSecrets } from './secrets.js';
import { StoredClock } from './stored-clock.js';

interface StreamsOptions extends StreamStoresOptions {
  readonly secrets: Pick<ServerSecrets, 'webhooks'>;
  readonly net: OutboundOptions;
}

/** One thread writes for all streams, so appends would wait for chunks that it seals during a burst. */
const SEAL_PAUSE_MS = 200;

/** What needs the folder and the file of streams. */
const STREAM_PARTS = ['streams', 'subscriptions', 'proxy'];

interface StreamsHost {
  readonly clock: () => number;
  readonly metrics: Metrics;
  readonly tenantLimits: ReadTenantLimits;
}

export async function composeStreams(options: StreamsOptions, { clock, metrics, tenantLimits }: StreamsHost) {
  const { settings, log } = options;
  const stores = await openStreamStores(options);
  const time = await StoredClock.open({ store: stores.clock, log, onJump: () => service.forgetUses() });
  const lifetime = time.watch;
  const service = new StreamService({
    ...stores.streams,
    ...{ log, clock, lifetime, tenantLimits },
    turn: nextTurn,
    limits: { ...settings.server, sealPauseMs: SEAL_PAUSE_MS },
  });
  metrics.observed(
    { name: 'sonde_stream_chunks_unsealed', help: 'Full chunks waiting to be sealed.' },
    'gauge',
    () => service.unsealedChunks,
  );
  service.start();
  const stop = async () => {
    await service.stop();
    await time.stop();
    await stores.close();
  };
  const steady = () => lifetime.steady();
  const parts = { store: stores.subscriptions, streams: service, tenantLimits, clock, steady };
  const subscriptions = await composeSubscriptions(options, parts).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    service,
    subscriptions: subscriptions.service,
    forProxy: {
      store: stores.proxy,
      streams: service,
      time: { lifetime, steady },
      storeFault: stores.writeFault,
    },
    thread: stores.thread,
    openStreams: stores.openStreams,
    folderReadiness: { name: 'data folder', stops: STREAM_PARTS, check: stores.checkWrites },
    readiness: {
      name: 'streams',
      stops: STREAM_PARTS,
      check: stores.check,
      notes: () => [...stores.notes(), ...subscriptions.lostSeals, ...service.damaged, ...time.notes()],
    },
    copyTo: stores.copyTo,
    async stop() {
      await subscriptions.stop();
      await stop();
    },
  };
}
