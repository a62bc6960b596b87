/**
 * Runs a batch of store calls as one transaction: one sync of the disk for all that has gathered. Results
 * exist only once the commit has returned. If a call fails, all are undone and run again, still as one transaction
 * but each in a savepoint of its own, so that one bad call, or one damaged page, spoils no other. After an I/O error
 * nothing is tried again: the kernel may have dropped the pages that a later, seemingly good sync would have to cover.
 */
import type { OpenDatabase } from './open-database.js';
import { endsTransaction, isFatal, toStoreError } from './sqlite-faults.js';
import {
  isReading,
  type StoreCall,
  type StoreFault,
  type StoreResult,
  type Stores,
} from './store-messages.js';

/** Streams are always there; what stands beside them depends on the host. */
type HostedStores = Pick<Stores, 'streams'> & Partial<Stores>;

export class BatchRunner {
  readonly #database: OpenDatabase;
  readonly #stores: HostedStores;
  #broken: StoreFault | undefined;

  constructor(database: OpenDatabase, stores: HostedStores) {
    this.#database = database;
    this.#stores = stores;
  }

  run(calls: readonly StoreCall[]): readonly StoreResult[] {
    const broken = this.#broken;
    if (broken) return calls.map(() => ({ fault: broken }));
    try {
      return this.#together(calls).map((value) => ({ value }));
    } catch (error) {
      if (calls.length > 1 && !this.#broken) return this.#apart(calls);
      const fault = faultOf(error);
      return calls.map(() => ({ fault }));
    }
  }

  #apart(calls: readonly StoreCall[]): readonly StoreResult[] {
    try {
      this.#database.begin();
      const results = calls.map((call) => this.#inSavepoint(call));
      this.#database.commit();
      return results;
    } catch (error) {
      this.#undo(error);
      const fault = faultOf(error);
      // What does not need the room, or the damaged page, need not fail with the rest.
      if (!this.#broken) return calls.flatMap((call) => this.run([call]));
      return calls.map(() => ({ fault }));
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

  #together(calls: readonly StoreCall[]): unknown[] {
    if (calls.every(isReading)) return calls.map((call) => this.#call(call));
    try {
      this.#database.begin();
      const results = calls.map((call) => this.#call(call));
      this.#stores.streams.flush();
      this.#database.commit();
      return results;
    } catch (error) {
      this.#undo(error);
      throw error;
    }
  }

  #call({ store: name = 'streams', method, args }: StoreCall): unknown {
    const store = this.#stores[name];
    if (!store) throw new Error(`there are no ${name} here`);
    const run = store[method as keyof typeof store] as (...args: readonly unknown[]) => unknown;
    return run.apply(store, [...args]);
  }

  #undo(error: unknown): void {
    this.#stores.streams.forget();
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
  const isShown = code === 'STORAGE_FULL' || code === 'DATA_VERSION_UNKNOWN';
  return { code: isShown ? code : 'STORAGE_UNAVAILABLE', message };
}
