/**
 * The name of a stream's object, which is the id of its stream. The platform does not pass it on, and an alarm carries none.
 * While there is a stream its row has the name; an object that is without one and has to be woken keeps it apart.
 */
import type { SqlDatabase } from '../../stores/sqlite/sql-database.js';

export class ObjectName {
  readonly #database: SqlDatabase;
  #value: string | undefined;
  /** Whether it is kept apart. */
  #kept = false;

  constructor(database: SqlDatabase) {
    this.#database = database;
    this.lookAgain();
  }

  get kept(): boolean {
    return this.#kept;
  }

  /** The row may have gone with a transaction that was undone, or with everything. The name stays in memory. */
  lookAgain(): void {
    const name = this.#find('object_name', 'name');
    this.#kept = name !== undefined;
    this.#value = name ?? this.#find('streams', 'stream_id') ?? this.#value;
  }

  get value(): string | undefined {
    return this.#value;
  }

  learn(name: string): void {
    this.#value ??= name;
  }

  /** In the transaction of a write to streams, after which there may be none. */
  keep(): void {
    if (this.#kept || this.#value === undefined || this.#find('streams', 'stream_id') !== undefined) return;
    this.#database.run('CREATE TABLE IF NOT EXISTS object_name (name TEXT PRIMARY KEY) WITHOUT ROWID', []);
    this.#database.run('INSERT OR IGNORE INTO object_name (name) VALUES (?)', [this.#value]);
    this.#kept = true;
  }

  #find(table: string, column: string): string | undefined {
    const [there] = this.#database.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [
      table,
    ]);
    const [row] = there ? this.#database.all(`SELECT ${column} FROM ${table} LIMIT 1`, []) : [];
    return row && String(row[column]);
  }
}
