/**
 * A synchronous store whose tables are created by the first call that needs them. Until then, calls return what an
 * empty store would, and the object has no tables or rows, so the platform discards it.
 */
import { forwardMethods, methodNames } from '../../../port-methods.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import type { SyncPort } from '../../../stores/sqlite/sync-port.js';

export interface LazyOptions<Port, Engine extends SyncPort<Port>> {
  readonly database: SqlDatabase;
  readonly table: string;
  /** Its class, of which an instance is made when a call needs it. */
  readonly engine: { readonly prototype: Engine };
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
    this.port = forwardMethods<SyncPort<Port>>(methodNames(options.engine.prototype), (name, args) =>
      this.#call(name as keyof SyncPort<Port>, args),
    );
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

  #call(name: keyof SyncPort<Port>, args: readonly unknown[]): unknown {
    const { absent, open } = this.#options;
    if (absent[name] === undefined) this.#engine ??= open();
    const engine = this.#engine ?? absent;
    return (engine as Record<keyof SyncPort<Port>, (...args: readonly unknown[]) => unknown>)[name](...args);
  }
}
