/**
 * Runs a batch of store calls as one transaction, with one sync of the disk. Results are returned only after the
 * commit. If a call fails, all are rolled back and run again, still as one transaction but each in its own savepoint,
 * so that a bad call or a damaged page does not affect the others. After an I/O error every call is refused: the kernel
 * may have dropped dirty pages, and a later sync that succeeds would not include them. Writes to files that are no
 * longer at their paths are not acknowledged.
 */
import type { OpenFiles } from '../open-files.js';
import type { CommitCounter } from './commit-counter.js';
import type { CommitMark } from './commit-mark.js';
import type { OpenDatabase } from './open-database.js';
import { causeOf, endsTransaction, isFatal, toStoreError } from './sqlite-faults.js';
import {
  isBackground,
  isReading,
  isUnmarked,
  type StoreCall,
  type StoreFault,
  type StoreResult,
  type Stores,
} from './store-messages.js';

/** The streams store is always present; the others depend on the host. */
type HostedStores = Pick<Stores, 'streams'> & Partial<Stores>;

export interface BatchGuards {
  readonly files?: Pick<OpenFiles, 'check'>;
  readonly mark?: Pick<CommitMark, 'clearIfRemoved' | 'note'>;
  /** Counts the commits whose effect the mark does not show. */
  readonly counter?: Pick<CommitCounter, 'count' | 'committed' | 'undone'>;
}

export class BatchRunner {
  readonly #database: OpenDatabase;
  readonly #stores: HostedStores;
  readonly #guards: BatchGuards;
  #broken: StoreFault | undefined;

  constructor(database: OpenDatabase, stores: HostedStores, guards: BatchGuards = {}) {
    this.#database = database;
    this.#stores = stores;
    this.#guards = guards;
  }

  run(calls: readonly StoreCall[]): readonly StoreResult[] {
    this.#guards.mark?.clearIfRemoved(calls);
    const results = this.#broken ? allFailed(calls, this.#broken) : this.#run(calls);
    this.#guards.mark?.note(calls, results);
    return results;
  }

  #run(calls: readonly StoreCall[]): readonly StoreResult[] {
    try {
      this.#guards.files?.check();
    } catch (error) {
      return allFailed(calls, faultOf(error));
    }
    try {
      return this.#runTogether(calls).map((value) => ({ value }));
    } catch (error) {
      if (calls.length > 1 && !this.#broken) return this.#runInSavepoints(calls);
      return allFailed(calls, faultOf(error));
    }
  }

  #runInSavepoints(calls: readonly StoreCall[]): readonly StoreResult[] {
    try {
      this.#database.begin();
      const results = calls.map((call) => this.#inSavepoint(call));
      this.#commit(calls);
      return results;
    } catch (error) {
      this.#undo(error);
      // A call that does not need the disk space or the damaged page can still succeed.
      if (!this.#broken) return calls.flatMap((call) => this.run([call]));
      return allFailed(calls, this.#broken);
    }
  }

  #inSavepoint(call: StoreCall): StoreResult {
    try {
      const value = this.#database.transaction(() => {
        const result = this.#call(call);
        this.#stores.streams.flush();
        return result;
      });
      return { value };
    } catch (error) {
      this.#stores.streams.forget();
      if (endsTransaction(error)) throw error;
      return { fault: faultOf(error) };
    }
  }

  #runTogether(calls: readonly StoreCall[]): unknown[] {
    if (calls.every(isReading)) return calls.map((call) => this.#call(call));
    try {
      this.#database.begin();
      const results = calls.map((call) => this.#call(call));
      this.#stores.streams.flush();
      this.#commit(calls);
      return results;
    } catch (error) {
      this.#undo(error);
      throw error;
    }
  }

  #commit(calls: readonly StoreCall[]): void {
    const { counter } = this.#guards;
    if (calls.some(isUnmarked)) counter?.count();
    this.#database.commit(calls.some(isBackground) ? 'background' : undefined);
    counter?.committed();
  }

  #call({ store: name = 'streams', method, args }: StoreCall): unknown {
    const store = this.#stores[name];
    if (!store) throw new Error(`this thread has no store for ${name}`);
    const run = store[method as keyof typeof store] as (...args: readonly unknown[]) => unknown;
    return run.apply(store, [...args]);
  }

  #undo(error: unknown): void {
    this.#stores.streams.forget();
    this.#guards.counter?.undone();
    if (isFatal(error)) this.#broken = faultOf(error);
    try {
      this.#database.rollback();
    } catch {
      // SQLite has already rolled back the transaction.
    }
  }
}

function allFailed(calls: readonly StoreCall[], fault: StoreFault): readonly StoreResult[] {
  return calls.map(() => ({ fault }));
}

export function faultOf(error: unknown): StoreFault {
  const fault = toStoreError(error);
  const { code, message } = fault;
  const isShown = code === 'STORAGE_FULL' || code === 'DATA_VERSION_UNKNOWN';
  return { code: isShown ? code : 'STORAGE_UNAVAILABLE', message, ...causeOf(fault) };
}
