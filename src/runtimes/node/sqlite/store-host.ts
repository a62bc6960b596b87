/** The stores on Node: their ports, spoken to the thread that owns the file. */
import { Worker } from 'node:worker_threads';
import { SondeError } from '../../../errors.js';
import type { ProxyStore } from '../../../proxy/index.js';
import type {
  StreamKey,
  StreamRepairs,
  StreamStore,
  SubscriptionStore,
  UncheckedTails,
} from '../../../streams/index.js';
import { type BatchTimes, CallQueue } from './call-queue.js';
import { appendInPieces, createInPieces } from './stage-record.js';
import type { FromStore, StoredByTenant, StoreFault, StoreMethod } from './store-messages.js';
import type { StoreWorkerData } from './store-worker.js';

export interface StoreHostOptions extends StoreWorkerData {
  readonly workerUrl: URL;
}

export interface StoreHost {
  readonly store: StreamStore;
  readonly repairs: StreamRepairs;
  readonly subscriptions: SubscriptionStore;
  readonly proxy: ProxyStore;
  readonly driver: string;
  /** Streams that were known to be damaged when the store was opened. */
  readonly damaged: readonly StreamKey[];
  /** Streams whose last records have not been checked since the start. */
  readonly unchecked: UncheckedTails;
  /** What was stored for each tenant when the store was opened. */
  readonly stored: StoredByTenant;
  /** Calls that wait for the thread. */
  waiting(): number;
  observe(onBatch: (times: BatchTimes) => void): void;
  /** Until it thaws, the database file does not change; writes go on beside it. */
  freezeFile(): Promise<{ readonly pausedMs: number; thaw(): Promise<void> }>;
  close(): Promise<void>;
}

export async function openStoreHost({ workerUrl, ...data }: StoreHostOptions): Promise<StoreHost> {
  const worker = new Worker(workerUrl, { workerData: data, stdout: false, stderr: false });
  const ready = await firstMessage(worker);
  if (ready.kind === 'failed') {
    // The driver lets go of the file only when its thread ends.
    await worker.terminate();
    throw openFailure(ready, data.path);
  }
  if (ready.kind !== 'ready') throw new Error('the store worker did not become ready');
  const queue = new CallQueue(worker);
  // What a crash left.
  void queue.dropUnused();
  return {
    store: streamPort(queue),
    repairs: repairPort(queue),
    subscriptions: subscriptionPort(queue),
    proxy: proxyPort(queue),
    driver: ready.driver,
    damaged: ready.damaged,
    unchecked: {
      after: ready.uncheckedAfter,
      check: (after, limit) => queue.call({ method: 'checkTails', args: [after, limit] }) as Promise<never>,
    },
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

function repairPort(queue: CallQueue): StreamRepairs {
  const call =
    (method: keyof StreamRepairs) =>
    (...args: unknown[]) =>
      queue.call({ method, args }) as Promise<never>;
  return { clearDamage: call('clearDamage'), giveUpChunk: call('giveUpChunk'), cutOff: call('cutOff') };
}

function subscriptionPort(queue: CallQueue): SubscriptionStore {
  const call =
    (method: StoreMethod<'subscriptions'>) =>
    (...args: unknown[]) =>
      queue.call({ store: 'subscriptions', method, args }) as Promise<never>;
  return {
    create: call('create'),
    get: call('get'),
    remove: call('remove'),
    list: call('list'),
    links: call('links'),
    newsFirst: call('newsFirst'),
    link: call('link'),
    unlink: call('unlink'),
    notice: call('notice'),
    step: call('step'),
  };
}

function proxyPort(queue: CallQueue): ProxyStore {
  const call =
    (method: StoreMethod<'proxy'>) =>
    (...args: unknown[]) =>
      queue.call({ store: 'proxy', method, args }) as Promise<never>;
  return {
    pumpStarted: call('pumpStarted'),
    pumpEnded: call('pumpEnded'),
    pumps: call('pumps'),
    beginCreate: call('beginCreate'),
    endCreate: call('endCreate'),
    dropCreate: call('dropCreate'),
    sweepCreates: call('sweepCreates'),
  };
}

function streamPort(queue: CallQueue): StreamStore {
  const call =
    (method: StoreMethod) =>
    (...args: unknown[]) =>
      queue.call({ method, args }) as Promise<never>;
  return {
    create: (stream) => createInPieces(queue, stream),
    get: call('get'),
    append: (id, input) => appendInPieces(queue, id, input),
    chunks: call('chunks'),
    readHot: call('readHot'),
    arrivals: call('arrivals'),
    listPage: call('listPage'),
    markCold: call('markCold'),
    unsealed: call('unsealed'),
    touch: call('touch'),
    remove: call('remove'),
    addFork: call('addFork'),
    removeFork: call('removeFork'),
    forks: call('forks'),
    expired: call('expired'),
    softDeleted: call('softDeleted'),
    list: call('list'),
    markCorrupt: call('markCorrupt'),
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
