/**
 * The calls of the store thread. Those that come while a batch is under way gather into the next, which leaves as soon as
 * there is room, so batches grow with the load and a lone call does not wait. A batch is bounded by the bytes that it
 * writes. Bulk work has an order of its own: one batch at a time has some of it, and little if anything else waits, so
 * a short append waits for one piece of it. Results are returned in the order of the calls.
 */
import type { Worker } from 'node:worker_threads';
import { SondeError } from '../../../errors.js';
import type { AppendInput, NewStream } from '../../../streams/index.js';
import { unpackStates } from './pack-state.js';
import type { FromStore, StoreCall, StoreFault, StoreResult } from './store-messages.js';

/** One batch is being written while the next one is already on its way. */
const BATCHES_UNDER_WAY = 2;
const CALLS_PER_BATCH = 1024;
const BYTES_PER_BATCH = 1024 * 1024;
/** This many calls are worth a commit of their own: an idle store begins with them while more sockets are read. */
const CALLS_WORTH_A_COMMIT = 16;
/** Calls of bulk work in one batch, beside others and alone. */
const BULK_BESIDE = 1;
const BULK_ALONE = 2;
/** Of data that no record refers to, at most two megabytes: they are freed, not written. */
const DROP_UNUSED: StoreCall = { store: 'loose', method: 'dropUnused', args: [2] };

/** How long a batch held the thread, and for how long the first of its calls had waited. */
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
  readonly #underWay: Batch[] = [];
  readonly #controls: { resolve(pausedMs: number): void; reject(error: SondeError): void }[] = [];
  #sending = false;
  #dropping = false;
  #hasUnused = false;
  #fault: SondeError | undefined;
  #onClosed: (() => void) | undefined;
  onBatch: (times: BatchTimes) => void = () => {};

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromStore) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('the store thread has ended')));
    worker.unref();
  }

  /** Calls that are not under way yet. */
  get waiting(): number {
    return this.#waiting.length + this.#bulk.length;
  }

  call(call: StoreCall): Promise<unknown> {
    return this.#add(this.#waiting, call);
  }

  /** Work that other calls should not wait for: one call of it per batch. */
  bulk(call: StoreCall): Promise<unknown> {
    return this.#add(this.#bulk, call);
  }

  #add(queue: Waiting[], call: StoreCall): Promise<unknown> {
    if (this.#fault) return Promise.reject(this.#fault);
    return new Promise((resolve, reject) => {
      queue.push({ call, since: performance.now(), resolve, reject });
      if (this.#underWay.length === 0 && this.#waiting.length >= CALLS_WORTH_A_COMMIT) this.#send();
      else this.#sendSoon();
    });
  }

  /** The calls of all sockets that were ready leave as one batch, and so are one commit. */
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
    if (this.#underWay.length >= BATCHES_UNDER_WAY) return;
    const own = this.#waiting.splice(0, callsWithin(this.#waiting));
    const mayHaveBulk = !this.#underWay.some(({ hasBulk }) => hasBulk);
    const bulk = mayHaveBulk ? this.#bulk.splice(0, own.length > 0 ? BULK_BESIDE : BULK_ALONE) : [];
    const calls = [...own, ...bulk];
    if (calls.length === 0) return;
    this.#underWay.push({ calls, hasBulk: bulk.length > 0 });
    this.#worker.ref();
    const pieces = bulk.flatMap(({ call }) => call.args.filter((arg) => arg instanceof Uint8Array));
    this.#worker.postMessage(
      { kind: 'batch', calls: calls.map(({ call }) => call) },
      pieces.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  #receive(message: FromStore): void {
    if (message.kind === 'closed') {
      // Waits for the thread to end: a driver may release the file's lock only then.
      this.#fault = new SondeError('STORAGE_UNAVAILABLE', 'the store is closed');
      return;
    }
    if (message.kind === 'frozen') {
      const control = this.#controls.shift();
      if (this.#underWay.length === 0) this.#worker.unref();
      const { fault, pausedMs } = message;
      return fault ? control?.reject(new SondeError(fault.code, fault.message)) : control?.resolve(pausedMs);
    }
    if (message.kind === 'results') this.#settle(message);
  }

  #settle({ results, heldMs, hasUnused }: Extract<FromStore, { kind: 'results' }>): void {
    const batch = this.#underWay.shift()?.calls ?? [];
    this.#send();
    if (this.#underWay.length === 0) this.#worker.unref();
    const since = Math.min(...batch.map((waiting) => waiting.since));
    this.onBatch({ heldMs, waitedMs: Math.max(0, performance.now() - since - heldMs) });
    for (const [index, waiting] of batch.entries()) settle(waiting, results[index]);
    this.#hasUnused = hasUnused;
    if (hasUnused && !this.#dropping) void this.dropUnused();
  }

  /** Until nothing is left. A step that fails is taken again with the next results. */
  async dropUnused(): Promise<void> {
    this.#dropping = true;
    try {
      do await this.bulk(DROP_UNUSED);
      while (this.#hasUnused);
    } catch {
      // The store reports it to the calls that need it.
    } finally {
      this.#dropping = false;
    }
  }

  #fail(cause: Error): void {
    this.#onClosed?.();
    const fault = this.#fault ?? new SondeError('STORAGE_UNAVAILABLE', 'the store has failed', { cause });
    this.#fault = fault;
    const left = [
      ...this.#underWay.flatMap(({ calls }) => calls),
      ...this.#waiting,
      ...this.#bulk,
      ...this.#controls,
    ];
    for (const waiting of left) waiting.reject(fault);
    for (const queue of [this.#controls, this.#underWay, this.#waiting, this.#bulk]) queue.length = 0;
  }
}

/** At least one, if there is one. */
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
