/** Composes durable streams on the embedded engine: one SQLite file and a folder of cold segments. */
import { join } from 'node:path';
import type { Metrics } from '../../../api/metrics/metrics.js';
import type { Settings } from '../../../config/settings.js';
import type { Log } from '../../../log.js';
import { type ReadTenantLimits, StreamService } from '../../../streams/index.js';
import { copyStreams } from '../backup/copy-streams.js';
import type { BuiltUrls } from '../built-urls.js';
import { createFileObjectStore } from '../file-object-store.js';
import type { OutboundOptions } from '../net.js';
import { nextTurn } from '../next-turn.js';
import { LOST_WRITES_FILE, readLostWrites } from '../sqlite/find-lost-writes.js';
import { openStoreHost } from '../sqlite/store-host.js';
import { composeSubscriptions } from './compose-subscriptions.js';
import { FolderWrites } from './folder-writes.js';
import { StoredClock } from './stored-clock.js';

interface StreamsOptions {
  readonly settings: Pick<Settings, 'server'>;
  readonly urls: Pick<BuiltUrls, 'storeWorker'>;
  readonly net: OutboundOptions;
  readonly log: Log;
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
  const { settings, urls, log } = options;
  const dataDir = settings.server.data;
  const host = await openStoreHost({ path: join(dataDir, 'sonde.db'), workerUrl: urls.storeWorker, log });
  for (const { id } of host.damaged) log.error('a stream is damaged', { stream: id });
  const lostWrites = readLostWrites(dataDir);
  for (const lost of lostWrites)
    log.error('acknowledged writes were lost', { ...lost, file: LOST_WRITES_FILE });
  const objects = createFileObjectStore(join(dataDir, 'segments'));
  const checkStore = () => host.store.list('', 1);
  const folderWrites = new FolderWrites(dataDir, checkStore);
  const time = await StoredClock.open({ store: host.clock, log, onJump: () => service.forgetUses() });
  const lifetime = time.watch;
  const { store, damaged, unchecked, stored } = host;
  const service = new StreamService({
    ...{ store, objects, log, clock, lifetime, tenantLimits, damaged, unchecked, stored },
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
    await host.close();
  };
  const steady = () => lifetime.steady();
  const parts = { store: host.subscriptions, streams: service, tenantLimits, clock, steady };
  const subscriptions = await composeSubscriptions(options, parts).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    service,
    subscriptions: subscriptions.service,
    forProxy: {
      store: host.proxy,
      streams: service,
      time: { lifetime, steady },
      storeFault: () => folderWrites.fault(),
    },
    thread: host,
    openStreams: () => host.openStreams(),
    folderReadiness: { name: 'data folder', stops: STREAM_PARTS, check: () => folderWrites.check() },
    readiness: {
      name: 'streams',
      stops: STREAM_PARTS,
      check: async () => void (await checkStore()),
      notes: () => [
        ...lostWrites.map(
          ({ foundAt }) => `acknowledged writes were lost before ${foundAt}: see ${LOST_WRITES_FILE}`,
        ),
        ...subscriptions.lostSeals,
        ...service.damaged,
        ...time.notes(),
      ],
    },
    copyTo: (folder: string, signal: AbortSignal) => copyStreams({ host, objects, dataDir, signal }, folder),
    async stop() {
      await subscriptions.stop();
      await stop();
    },
  };
}
