/**
 * Queues the calls to the store thread. Calls that arrive while a batch is running form the next one, which is sent as
 * soon as there is room. So batches grow with the load, and a single call does not wait. A batch has a limit of bytes
 * that it writes. Bulk work has its own queue: only one batch at a time contains any, and only a little if other calls
 * wait, so a short append waits for at most one piece of it. Results are returned in the order of the calls.
 */
import type { Worker } from 'node:worker_threads';
import { SondeError } from '../../../errors.js';
import type { AppendInput, NewStream } from '../../../streams/index.js';
import { unpackStates } from './pack-state.js';
import type { FromStore, StoreCall, StoreFault, StoreResult } from './store-messages.js';

/** One batch is being written while the next one is already sent. */
const BATCHES_IN_FLIGHT = 2;
const CALLS_PER_BATCH = 1024;
const BYTES_PER_BATCH = 1024 * 1024;
/** With this many calls an idle store starts a batch at once, while more sockets are still being read. */
const CALLS_WORTH_A_COMMIT = 16;
/** Bulk calls per batch, with other calls and alone. */
const BULK_BESIDE = 1;
const BULK_ALONE = 2;
/** Frees at most two pieces of data that no record refers to, which is about two megabytes. */
const DROP_UNUSED: StoreCall = { store: 'loose', method: 'dropUnused', args: [2] };

/** How long a batch occupied the thread, and how long its first call had waited. */
export interface BatchTimes {
  readonly heldMs: number;
  readonly waitedMs: number;
}

interface Waiting {
  readonly call: StoreCall;
  readonly since: number;
  resolve(value: unknown): void;
  reject(error: SondeError): void;
}

interface Batch {
  readonly calls: readonly Waiting[];
  readonly hasBulk: boolean;
}

export class CallQueue {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #bulk: Waiting[] = [];
  readonly #inFlight: Batch[] = [];
  readonly #controls: { resolve(pausedMs: number): void; reject(error: SondeError): void }[] = [];
  #sending = false;
  #dropping = false;
  #hasUnused = false;
  #fault: SondeError | undefined;
  #onClosed: (() => void) | undefined;
  onBatch: (times: BatchTimes) => void = () => {};
  onFault: (fault: StoreFault) => void = () => {};

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromStore) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('the store thread has ended')));
    worker.unref();
  }

  get waiting(): number {
    return this.#waiting.length + this.#bulk.length;
  }

  call(call: StoreCall): Promise<unknown> {
    return this.#add(this.#waiting, call);
  }

  /** For work that other calls should not wait for. */
  bulk(call: StoreCall): Promise<unknown> {
    return this.#add(this.#bulk, call);
  }

  #add(queue: Waiting[], call: StoreCall): Promise<unknown> {
    if (this.#fault) return Promise.reject(this.#fault);
    return new Promise((resolve, reject) => {
      queue.push({ call, since: performance.now(), resolve, reject });
      if (this.#inFlight.length === 0 && this.#waiting.length >= CALLS_WORTH_A_COMMIT) this.#send();
      else this.#sendSoon();
    });
  }

  /** Sends the calls of all sockets that were ready as one batch, and so as one commit. */
  #sendSoon(): void {
    if (this.#sending) return;
    this.#sending = true;
    setImmediate(() => {
      this.#sending = false;
      this.#send();
    });
  }

  /** Runs between two batches. Resolves with how long it took. */
  control(kind: 'freeze' | 'thaw'): Promise<number> {
    if (this.#fault) return Promise.reject(this.#fault);
    return new Promise((resolve, reject) => {
      this.#controls.push({ resolve, reject });
      this.#holdProcess();
      this.#worker.postMessage({ kind });
    });
  }

  close(): Promise<void> {
    if (this.#fault) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onClosed = resolve;
      this.#holdProcess();
      // After the calls of this turn, which are sent in the same way.
      setImmediate(() => this.#worker.postMessage({ kind: 'close' }));
    });
  }

  #send(): void {
    if (this.#inFlight.length >= BATCHES_IN_FLIGHT) return;
    const own = this.#waiting.splice(0, callsWithin(this.#waiting));
    const mayHaveBulk = !this.#inFlight.some(({ hasBulk }) => hasBulk);
    const bulk = mayHaveBulk ? this.#bulk.splice(0, own.length > 0 ? BULK_BESIDE : BULK_ALONE) : [];
    const calls = [...own, ...bulk];
    if (calls.length === 0) return;
    this.#inFlight.push({ calls, hasBulk: bulk.length > 0 });
    this.#holdProcess();
    const pieces = bulk.flatMap(({ call }) => call.args.filter((arg) => arg instanceof Uint8Array));
    this.#worker.postMessage(
      { kind: 'batch', calls: calls.map(({ call }) => call) },
      pieces.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  /** The process must not exit before the thread has sent everything that a caller waits for. */
  #holdProcess(): void {
    const isAwaited = this.#inFlight.length > 0 || this.#controls.length > 0 || this.#onClosed !== undefined;
    if (isAwaited) this.#worker.ref();
    else this.#worker.unref();
  }

  #receive(message: FromStore): void {
    if (message.kind === 'closed') {
      // `close` resolves when the thread ends, because a driver may release the file's lock only then.
      this.#fault = new SondeError('STORAGE_UNAVAILABLE', 'the store is closed');
      return;
    }
    if (message.kind === 'frozen') {
      const control = this.#controls.shift();
      this.#holdProcess();
      const { fault, pausedMs } = message;
      return fault ? control?.reject(new SondeError(fault.code, fault.message)) : control?.resolve(pausedMs);
    }
    if (message.kind === 'results') this.#settle(message);
  }

  #settle({ results, heldMs, hasUnused }: Extract<FromStore, { kind: 'results' }>): void {
    const batch = this.#inFlight.shift()?.calls ?? [];
    this.#send();
    this.#holdProcess();
    const since = Math.min(...batch.map((waiting) => waiting.since));
    this.onBatch({ heldMs, waitedMs: Math.max(0, performance.now() - since - heldMs) });
    for (const [index, waiting] of batch.entries()) settle(waiting, results[index]);
    for (const result of results) if ('fault' in result) this.onFault(result.fault);
    this.#hasUnused = hasUnused;
    if (hasUnused && !this.#dropping) void this.dropUnused();
  }

  /** Repeats until nothing is left. After a failed step it continues with the next results. */
  async dropUnused(): Promise<void> {
    this.#dropping = true;
    try {
      do await this.bulk(DROP_UNUSED);
      while (this.#hasUnused);
    } catch {
      // The store reports the failure to other calls.
    } finally {
      this.#dropping = false;
    }
  }

  #fail(cause: Error): void {
    this.#onClosed?.();
    const fault = this.#fault ?? new SondeError('STORAGE_UNAVAILABLE', 'the store has failed', { cause });
    this.#fault = fault;
    const left = [
      ...this.#inFlight.flatMap(({ calls }) => calls),
      ...this.#waiting,
      ...this.#bulk,
      ...this.#controls,
    ];
    for (const waiting of left) waiting.reject(fault);
    for (const queue of [this.#controls, this.#inFlight, this.#waiting, this.#bulk]) queue.length = 0;
  }
}

/** How many of the waiting calls fit into a batch; at least one if there is one. */
function callsWithin(waiting: readonly Waiting[]): number {
  let bytes = 0;
  for (const [index, { call }] of waiting.entries()) {
    if (index === CALLS_PER_BATCH) return index;
    bytes += bytesOf(call);
    if (bytes > BYTES_PER_BATCH && index > 0) return index;
  }
  return waiting.length;
}

function bytesOf({ store, method, args }: StoreCall): number {
  if (store !== undefined) return 0;
  if (method === 'append') return (args[1] as AppendInput).data?.length ?? 0;
  return method === 'create' ? ((args[0] as NewStream).data?.length ?? 0) : 0;
}

function settle(waiting: Waiting, result: StoreResult | undefined): void {
  if (result && 'value' in result) return waiting.resolve(unpackStates(result.value));
  const { code, message } = result?.fault ?? MISSING;
  waiting.reject(new SondeError(code, message));
}

const MISSING: StoreFault = { code: 'INTERNAL', message: 'the store returned no result' };
