/** Puts durable streams together on the embedded engine: one SQLite file and a folder of cold segments. */
import { join } from 'node:path';
import type { ReadinessCheck } from '../../../api/app-env.js';
import { StreamService } from '../../../streams/index.js';
import { createFileObjectStore } from '../file-object-store.js';
import { openStoreHost } from '../sqlite/store-host.js';
import type { ServeOptions } from './start-server.js';

export interface ServerStreams {
  readonly service: StreamService;
  readonly readiness: ReadinessCheck;
  stop(): Promise<void>;
}

type StreamsOptions = Pick<ServeOptions, 'dataDir' | 'storeWorkerUrl' | 'longPollMs' | 'log'>;

export async function composeStreams(options: StreamsOptions, clock: () => number): Promise<ServerStreams> {
  const { dataDir, storeWorkerUrl, longPollMs, log } = options;
  const host = await openStoreHost({ path: join(dataDir, 'sonde.db'), workerUrl: storeWorkerUrl });
  for (const stream of host.damaged) log.error('a stream is damaged', { stream });
  const service = new StreamService({
    store: host.store,
    objects: createFileObjectStore(join(dataDir, 'segments')),
    log,
    clock,
    limits: { longPollMs },
    damaged: host.damaged,
  });
  service.start();
  return {
    service,
    readiness: {
      name: 'streams',
      check: async () => void (await host.store.list('', 1)),
      notes: () => service.damaged,
    },
    async stop() {
      await service.stop();
      await host.close();
    },
  };
}
