/** The stream, subscription and proxy stores on Node. Each call is sent to the thread that owns the file. */
import { Worker } from 'node:worker_threads';
import { SondeError } from '../../../errors.js';
import type { Log } from '../../../log.js';
import { forwardMethods } from '../../../port-methods.js';
import type { ProxyStore } from '../../../proxy/index.js';
import type {
  StreamKey,
  StreamRepairs,
  StreamStore,
  SubscriptionStore,
  UncheckedTails,
} from '../../../streams/index.js';
import type { StoreThread } from '../server/store-metrics.js';
import type { ClockStore } from '../server/stored-clock.js';
import { CallQueue } from './call-queue.js';
import { appendInPieces, createInPieces } from './stage-record.js';
import { storeFaultLog } from './store-fault-log.js';
import type { FromStore, StoredByTenant, StoreFault, StoreName } from './store-messages.js';
import type { StoreWorkerData } from './store-worker.js';

export interface StoreHostOptions extends StoreWorkerData {
  readonly workerUrl: URL;
  readonly log?: Log;
}

export interface StoreHost extends StoreThread {
  readonly store: StreamStore;
  readonly repairs: StreamRepairs;
  readonly subscriptions: SubscriptionStore;
  readonly proxy: ProxyStore;
  readonly clock: ClockStore;
  /** Streams that were known to be damaged when the store was opened. */
  readonly damaged: readonly StreamKey[];
  /** Streams whose last records have not been checked since the start. */
  readonly unchecked: UncheckedTails;
  /** Reads one row per tenant. */
  openStreams(): Promise<number>;
  /** The bytes stored for each tenant when the store was opened. */
  readonly stored: StoredByTenant;
  /** The database file does not change until `thaw`; writes go to the log. */
  freezeFile(): Promise<{ readonly pausedMs: number; thaw(): Promise<void> }>;
  close(): Promise<void>;
}

export async function openStoreHost({ workerUrl, log, ...data }: StoreHostOptions): Promise<StoreHost> {
  const worker = new Worker(workerUrl, { workerData: data, stdout: false, stderr: false });
  const ready = await firstMessage(worker);
  if (ready.kind === 'failed') {
    // The driver releases the file only when its thread ends.
    await worker.terminate();
    throw openFailure(ready, data.path);
  }
  if (ready.kind !== 'ready') throw new Error('the store worker did not become ready');
  const queue = new CallQueue(worker);
  if (log) queue.onFault = storeFaultLog(log, data.path);
  // Removes data that a crash left.
  void queue.dropUnused();
  const port = <Port extends object>(store: StoreName, own?: Partial<Port>) => {
    // Calls for streams do not name their store.
    const named = store === 'streams' ? {} : { store };
    const { [store]: methods } = ready.methods;
    return forwardMethods<Port>(methods, (method, args) => queue.call({ ...named, method, args }), own);
  };
  return {
    store: port<StreamStore>('streams', {
      create: (stream) => createInPieces(queue, stream),
      append: (id, input) => appendInPieces(queue, id, input),
    }),
    repairs: port<StreamRepairs>('streams'),
    subscriptions: port<SubscriptionStore>('subscriptions'),
    proxy: port<ProxyStore>('proxy'),
    clock: port<ClockStore>('clock'),
    damaged: ready.damaged,
    unchecked: {
      after: ready.uncheckedAfter,
      check: (after, limit) => queue.call({ method: 'checkTails', args: [after, limit] }) as Promise<never>,
    },
    openStreams: async () => Number(await queue.call({ method: 'openCount', args: [] })),
    stored: ready.stored,
    freezeFile: async () => {
      const pausedMs = await queue.control('freeze');
      return { pausedMs, thaw: async () => void (await queue.control('thaw')) };
    },
    waiting: () => queue.waiting,
    observe(onBatch) {
      queue.onBatch = onBatch;
    },
    close: () => queue.close(),
  };
}

function firstMessage(worker: Worker): Promise<FromStore> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function openFailure({ fault, busy }: { fault: StoreFault; busy: boolean }, path: string): SondeError {
  return busy
    ? new SondeError('CONFIG_INVALID_VALUE', `server.data: another process is using ${path}`, {
        details: { key: 'server.data' },
      })
    : new SondeError(fault.code, `${path} cannot be opened: ${fault.message}`);
}
