/**
 * The record stores on Node, spoken to the thread that owns their file. Any method of any store in
 * `record-stores.ts` is a call, typed by the store itself; calls that come while a batch is under way gather
 * into the next one, which is one transaction.
 */
import { Worker } from 'node:worker_threads';
import { BatchCalls } from '../../../batch-calls.js';
import { SondeError } from '../../../errors.js';
import type { RecordStores } from '../../../stores/sqlite/record-stores.js';
import type { StoreThread } from '../server/store-metrics.js';
import type { BatchTimes } from '../sqlite/call-queue.js';
import type {
  FromRecords,
  RecordCall,
  RecordFault,
  RecordResult,
  RecordStoreName,
  RecordsFile,
} from './records-messages.js';

type Method = (...args: never[]) => unknown;

/** A store as its callers see it: every method responds with a promise. */
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
export async function openRecordsHost(options: RecordsFile & { workerUrl: URL }): Promise<RecordsHost> {
  const { workerUrl, ...file } = options;
  const { path } = file;
  const worker = new Worker(workerUrl, { workerData: file, stdout: false, stderr: false });
  const line = new ThreadLine(worker);
  const ready = await line.next();
  if (ready.kind === 'failed') {
    // The driver lets go of the file only when its thread ends.
    await worker.terminate();
    throw new SondeError(ready.fault.code, `${path} cannot be opened: ${ready.fault.message}`);
  }
  let onBatch: (times: BatchTimes) => void = () => {};
  const calls = new BatchCalls<RecordCall, RecordResult>(CALLS_PER_BATCH, async (batch) => {
    const from = performance.now();
    const response = await line.ask({ kind: 'batch', calls: batch });
    if (response.kind !== 'results') return [];
    const { heldMs } = response;
    onBatch({ heldMs, waitedMs: Math.max(0, performance.now() - from - heldMs) });
    return response.results;
  });
  const names = ready.kind === 'ready' ? ready.stores : [];
  return {
    stores: Object.fromEntries(names.map((name) => [name, storeOf(name, calls)])) as AsyncRecordStores,
    waiting: () => calls.size,
    observe(act) {
      onBatch = act;
    },
    close: () => line.close(),
  };
}

function storeOf(store: RecordStoreName, calls: BatchCalls<RecordCall, RecordResult>): unknown {
  const target: Record<string, unknown> = {};
  return new Proxy(target, {
    get(known, method) {
      // `await` looks for `then`, and this is no promise.
      if (typeof method !== 'string' || method === 'then') return undefined;
      known[method] ??= async (...args: unknown[]) => responseOf(await calls.call({ store, method, args }));
      return known[method];
    },
  });
}

function responseOf(result: RecordResult | undefined): unknown {
  if (result && 'value' in result) return result.value;
  const fault: RecordFault = result?.fault ?? { code: 'INTERNAL', message: 'the store returned no result' };
  throw new SondeError(fault.code, fault.message, { ...(fault.details && { details: fault.details }) });
}

interface Question {
  resolve(message: FromRecords): void;
  reject(error: SondeError): void;
}

/** Calls are handled in their order. Once it is closed, or its thread has gone, every further one is refused. */
class ThreadLine {
  readonly #worker: Worker;
  readonly #waiting: Question[] = [];
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

  ask(message: unknown): Promise<FromRecords> {
    const response = this.next();
    if (!this.#fault) this.#worker.postMessage(message);
    return response;
  }

  /** Behind the questions that were asked before. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    if (this.#fault) return;
    // Its files are free only once the thread has ended.
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    const answered = this.ask({ kind: 'close' });
    this.#fault = new SondeError('STORAGE_UNAVAILABLE', 'the store is closed');
    // A thread that fails instead has ended too.
    await answered.catch(() => undefined);
    this.#worker.ref();
    await ended;
  }

  #receive(message: FromRecords): void {
    const question = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    question?.resolve(message);
  }

  #fail(message: string, cause?: unknown): void {
    this.#fault ??= new SondeError('STORAGE_UNAVAILABLE', message, { cause });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#fault);
  }
}
