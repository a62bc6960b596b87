/**
 * A synchronous store whose tables are created by the first call that needs them. Until then, calls return what an
 * empty store would, and the object has no tables or rows, so the platform discards it.
 */

import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import type { SyncPort } from '../../../stores/sqlite/sync-port.js';

export interface LazyOptions<Port, Engine extends SyncPort<Port>> {
  readonly database: SqlDatabase;
  readonly table: string;
  open(): Engine;
  /** The results of an empty store. Methods that are not listed create the tables. */
  readonly absent: Partial<SyncPort<Port>>;
}

export class LazyEngine<Port extends object, Engine extends SyncPort<Port>> {
  readonly #options: LazyOptions<Port, Engine>;
  #engine: Engine | undefined;
  readonly port: SyncPort<Port>;

  constructor(options: LazyOptions<Port, Engine>) {
    this.#options = options;
    this.reload();
    this.port = new Proxy({} as SyncPort<Port>, {
      get: (_none, name) => this.#method(name as keyof SyncPort<Port>),
    });
  }

  /** Undefined while there are no tables. */
  get engine(): Engine | undefined {
    return this.#engine;
  }

  /** Call it after a rollback, or after everything was deleted, because the tables may be gone. */
  reload(): void {
    const { database, table, open } = this.#options;
    const tables = database.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [table]);
    this.#engine = tables.length > 0 ? (this.#engine ?? open()) : undefined;
  }

  #method(name: keyof SyncPort<Port>): unknown {
    const absent = this.#engine ? undefined : this.#options.absent[name];
    if (absent !== undefined) return absent;
    return (...args: unknown[]) => {
      this.#engine ??= this.#options.open();
      const method = this.#engine[name] as (...args: unknown[]) => unknown;
      return method.apply(this.#engine, args);
    };
  }
}
