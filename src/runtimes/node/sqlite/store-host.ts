/**
 * The stores on Node: their ports, spoken to the thread that owns the file. Calls that come while a batch
 * is under way gather into the next, which leaves as soon as there is room, so batches grow with the load and
 * a lone call waits for nobody. Results are returned in the order of the calls.
 */
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
import { unpackStates } from './pack-state.js';
import type {
  FromStore,
  StoreCall,
  StoredByTenant,
  StoreFault,
  StoreMethod,
  StoreResult,
} from './store-messages.js';
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
  /** Until it thaws, the database file does not change; writes go on beside it. */
  freezeFile(): Promise<{ readonly pausedMs: number; thaw(): Promise<void> }>;
  close(): Promise<void>;
}

/** One batch is being written while the next one is already on its way. */
const BATCHES_UNDER_WAY = 2;
const CALLS_PER_BATCH = 1024;
/** So many calls are worth a commit of their own: an idle store begins with them while more sockets are read. */
const CALLS_WORTH_A_COMMIT = 16;

interface Waiting {
  readonly call: StoreCall;
  resolve(value: unknown): void;
  reject(error: SondeError): void;
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
    close: () => queue.close(),
  };
}

class CallQueue {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #underWay: (readonly Waiting[])[] = [];
  readonly #controls: { resolve(pausedMs: number): void; reject(error: SondeError): void }[] = [];
  #sending = false;
  #fault: SondeError | undefined;
  #onClosed: (() => void) | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromStore) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('the store thread has ended')));
    worker.unref();
  }

  call(call: StoreCall): Promise<unknown> {
    if (this.#fault) return Promise.reject(this.#fault);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      if (this.#underWay.length === 0 && this.#waiting.length >= CALLS_WORTH_A_COMMIT) this.#send();
      else this.#sendSoon();
    });
  }

  /** What all sockets that were ready have asked for leaves as one batch, and so is one commit. */
  #sendSoon(): void {
    if (this.#sending) return;
    this.#sending = true;
    setImmediate(() => {
      this.#sending = false;
      this.#send();
    });
  }

  /** Between two batches. Resolves with how long it took. */
  control(kind: 'freeze' | 'thaw'): Promise<number> {
    if (this.#fault) return Promise.reject(this.#fault);
    return new Promise((resolve, reject) => {
      this.#controls.push({ resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ kind });
    });
  }

  close(): Promise<void> {
    if (this.#fault) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onClosed = resolve;
      this.#worker.ref();
      // Behind the calls of this turn, which leave in the same way.
      setImmediate(() => this.#worker.postMessage({ kind: 'close' }));
    });
  }

  #send(): void {
    if (this.#underWay.length >= BATCHES_UNDER_WAY || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, CALLS_PER_BATCH);
    this.#underWay.push(batch);
    this.#worker.ref();
    this.#worker.postMessage({ kind: 'batch', calls: batch.map(({ call }) => call) });
  }

  #receive(message: FromStore): void {
    if (message.kind === 'closed') {
      // Waited for is the thread's end: a driver may let go of the file's lock only then.
      this.#fault = new SondeError('STORAGE_UNAVAILABLE', 'the store is closed');
      return;
    }
    if (message.kind === 'frozen') {
      const control = this.#controls.shift();
      if (this.#underWay.length === 0) this.#worker.unref();
      const { fault, pausedMs } = message;
      return fault ? control?.reject(new SondeError(fault.code, fault.message)) : control?.resolve(pausedMs);
    }
    if (message.kind !== 'results') return;
    const batch = this.#underWay.shift() ?? [];
    this.#send();
    if (this.#underWay.length === 0) this.#worker.unref();
    for (const [index, waiting] of batch.entries()) settle(waiting, message.results[index]);
  }

  #fail(cause: Error): void {
    this.#onClosed?.();
    const fault = this.#fault ?? new SondeError('STORAGE_UNAVAILABLE', 'the store has failed', { cause });
    this.#fault = fault;
    for (const waiting of [...this.#underWay.flat(), ...this.#waiting, ...this.#controls])
      waiting.reject(fault);
    this.#controls.length = 0;
    this.#underWay.length = 0;
    this.#waiting.length = 0;
  }
}

function settle(waiting: Waiting, result: StoreResult | undefined): void {
  if (result && 'value' in result) return waiting.resolve(unpackStates(result.value));
  const { code, message } = result?.fault ?? MISSING;
  waiting.reject(new SondeError(code, message));
}

const MISSING: StoreFault = { code: 'INTERNAL', message: 'the store returned no result' };

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
    create: call('create'),
    get: call('get'),
    append: call('append'),
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
