/**
 * Runs a batch of store calls as one transaction: one sync of the disk for all that has gathered. Results
 * exist only once the commit has returned. If a call fails, all are undone and run again one by one, so that
 * one bad call spoils no other. After an I/O error nothing is tried again: the kernel may have dropped the
 * pages that a later, seemingly good sync would have to cover.
 */
import type { SqliteStreamStore } from '../../../stores/sqlite/sqlite-stream-store.js';
import type { OpenDatabase } from './open-database.js';
import { isFatal, toStoreError } from './sqlite-faults.js';
import { READING, type StoreCall, type StoreFault, type StoreResult } from './store-messages.js';

export class BatchRunner {
  readonly #database: OpenDatabase;
  readonly #store: SqliteStreamStore;
  #broken: StoreFault | undefined;

  constructor(database: OpenDatabase, store: SqliteStreamStore) {
    this.#database = database;
    this.#store = store;
  }

  run(calls: readonly StoreCall[]): readonly StoreResult[] {
    const broken = this.#broken;
    if (broken) return calls.map(() => ({ fault: broken }));
    try {
      return this.#together(calls).map((value) => ({ value }));
    } catch (error) {
      if (calls.length > 1 && !this.#broken) return calls.flatMap((call) => this.run([call]));
      const fault = faultOf(error);
      return calls.map(() => ({ fault }));
    }
  }

  #together(calls: readonly StoreCall[]): unknown[] {
    if (calls.every(({ method }) => READING.has(method))) return calls.map((call) => this.#call(call));
    try {
      this.#database.begin();
      const results = calls.map((call) => this.#call(call));
      this.#database.commit();
      return results;
    } catch (error) {
      this.#undo(error);
      throw error;
    }
  }

  #call({ method, args }: StoreCall): unknown {
    return (this.#store[method] as (...args: readonly unknown[]) => unknown).apply(this.#store, [...args]);
  }

  #undo(error: unknown): void {
    this.#store.forget();
    if (isFatal(error)) this.#broken = faultOf(error);
    try {
      this.#database.rollback();
    } catch {
      // SQLite has already undone the transaction itself.
    }
  }
}

export function faultOf(error: unknown): StoreFault {
  const { code, message } = toStoreError(error);
  return code === 'STORAGE_FULL' ? { code, message } : { code: 'STORAGE_UNAVAILABLE', message };
}
