/**
 * The name of a stream's object, which is the id of its stream. The platform does not provide it, not even in an alarm.
 * The row of the stream contains it; an object without a stream that must be woken stores it separately.
 */
import type { SqlDatabase } from '../../stores/sqlite/sql-database.js';

export class ObjectName {
  readonly #database: SqlDatabase;
  #value: string | undefined;
  #kept = false;

  constructor(database: SqlDatabase) {
    this.#database = database;
    this.reload();
  }

  get kept(): boolean {
    return this.#kept;
  }

  /** Call it after a rollback, or after everything was deleted. The name stays in memory. */
  reload(): void {
    const name = this.#find('object_name', 'name');
    this.#kept = name !== undefined;
    this.#value = name ?? this.#find('streams', 'stream_id') ?? this.#value;
  }

  get value(): string | undefined {
    return this.#value;
  }

  setOnce(name: string): void {
    this.#value ??= name;
  }

  /** Call it in the transaction of a write after which there may be no stream. */
  keep(): void {
    if (this.#kept || this.#value === undefined || this.#find('streams', 'stream_id') !== undefined) return;
    this.#database.run('CREATE TABLE IF NOT EXISTS object_name (name TEXT PRIMARY KEY) WITHOUT ROWID', []);
    this.#database.run('INSERT OR IGNORE INTO object_name (name) VALUES (?)', [this.#value]);
    this.#kept = true;
  }

  #find(table: string, column: string): string | undefined {
    const [found] = this.#database.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [
      table,
    ]);
    const [row] = found ? this.#database.all(`SELECT ${column} FROM ${table} LIMIT 1`, []) : [];
    return row && String(row[column]);
  }
}
