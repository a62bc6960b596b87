/**
 * The record stores on Node. Calls are sent to the thread that owns their file. Calls that arrive while a batch is
 * running form the next batch, which is one transaction.
 */
import { Worker } from 'node:worker_threads';
import { BatchCalls } from '../../../batch-calls.js';
import { SondeError } from '../../../errors.js';
import type { Log } from '../../../log.js';
import { forwardMethods } from '../../../port-methods.js';
import type { RecordStores } from '../../../stores/sqlite/record-stores.js';
import type { StoreThread } from '../server/store-metrics.js';
import type { BatchTimes } from '../sqlite/call-queue.js';
import { storeFaultLog } from '../sqlite/store-fault-log.js';
import type {
  FromRecords,
  RecordCall,
  RecordFault,
  RecordResult,
  RecordStoreName,
  RecordsFile,
} from './records-messages.js';

type Method = (...args: never[]) => unknown;

/** A store as its callers see it: every method returns a promise. */
type Asynchronous<Store> = {
  readonly [Name in keyof Store as Store[Name] extends Method ? Name : never]: Store[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
};

export type AsyncRecordStores = { readonly [Name in RecordStoreName]: Asynchronous<RecordStores[Name]> };

export interface RecordsHost extends StoreThread {
  readonly stores: AsyncRecordStores;
  close(): Promise<void>;
}

const CALLS_PER_BATCH = 256;

export interface RecordsHostOptions extends RecordsFile {
  readonly workerUrl: URL;
  readonly log?: Log;
}

export async function openRecordsHost(options: RecordsHostOptions): Promise<RecordsHost> {
  const { workerUrl, log, ...file } = options;
  const { path } = file;
  const noteFault = log && storeFaultLog(log, path);
  const worker = new Worker(workerUrl, { workerData: file, stdout: false, stderr: false });
  const channel = new WorkerChannel(worker);
  const ready = await channel.next();
  if (ready.kind === 'failed') {
    // The driver releases the file only when its thread ends.
    await worker.terminate();
    throw new SondeError(ready.fault.code, `${path} cannot be opened: ${ready.fault.message}`);
  }
  let onBatch: (times: BatchTimes) => void = () => {};
  const calls = new BatchCalls<RecordCall, RecordResult>(CALLS_PER_BATCH, async (batch) => {
    const from = performance.now();
    const response = await channel.call({ kind: 'batch', calls: batch });
    if (response.kind !== 'results') return [];
    const { heldMs } = response;
    onBatch({ heldMs, waitedMs: Math.max(0, performance.now() - from - heldMs) });
    for (const result of response.results) if ('fault' in result) noteFault?.(result.fault);
    return response.results;
  });
  const portOf = ([store, methods]: [string, readonly string[]]) => {
    const forward = async (method: string, args: readonly unknown[]) =>
      responseOf(await calls.call({ store: store as RecordStoreName, method, args }));
    return [store, forwardMethods(methods, forward)];
  };
  const stores = ready.kind === 'ready' ? Object.entries(ready.methods).map(portOf) : [];
  return {
    stores: Object.fromEntries(stores),
    waiting: () => calls.size,
    observe(act) {
      onBatch = act;
    },
    close: () => channel.close(),
  };
}

function responseOf(result: RecordResult | undefined): unknown {
  if (result && 'value' in result) return result.value;
  const fault: RecordFault = result?.fault ?? { code: 'INTERNAL', message: 'the store returned no result' };
  throw new SondeError(fault.code, fault.message, { ...(fault.details && { details: fault.details }) });
}

interface Pending {
  resolve(message: FromRecords): void;
  reject(error: SondeError): void;
}

/** Handles calls in order. Once it is closed or its thread has ended, further calls are refused. */
class WorkerChannel {
  readonly #worker: Worker;
  readonly #waiting: Pending[] = [];
  #fault: SondeError | undefined;
  #closed: Promise<void> | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromRecords) => this.#receive(message));
    worker.on('error', (cause) => this.#fail('the store has failed', cause));
    worker.on('exit', () => this.#fail('the store is closed'));
  }

  next(): Promise<FromRecords> {
    if (this.#fault) return Promise.reject(this.#fault);
    this.#worker.ref();
    return new Promise<FromRecords>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  call(message: unknown): Promise<FromRecords> {
    const response = this.next();
    if (!this.#fault) this.#worker.postMessage(message);
    return response;
  }

  /** Closes the store after the calls that were already sent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    if (this.#fault) return;
    // The files are released only when the thread has ended.
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    const closed = this.call({ kind: 'close' });
    this.#fault = new SondeError('STORAGE_UNAVAILABLE', 'the store is closed');
    // If the thread fails instead, it has ended too.
    await closed.catch(() => undefined);
    this.#worker.ref();
    await ended;
  }

  #receive(message: FromRecords): void {
    const pending = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    pending?.resolve(message);
  }

  #fail(message: string, cause?: unknown): void {
    this.#fault ??= new SondeError('STORAGE_UNAVAILABLE', message, { cause });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#fault);
  }
}
