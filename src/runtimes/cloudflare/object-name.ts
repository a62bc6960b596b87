/**
 * The name an object was reached by. The platform does not pass it on, and an alarm carries none, so the object stores the one
 * from its first call, together with its first write.
 */
import type { SqlDatabase } from '../../stores/sqlite/sql-database.js';

export class ObjectName {
  readonly #database: SqlDatabase;
  #value: string | undefined;
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
    const [there] = this.#database.all("SELECT 1 FROM sqlite_master WHERE name = 'object_name'", []);
    const [row] = there ? this.#database.all('SELECT name FROM object_name', []) : [];
    if (row) this.#value = String(row['name']);
    this.#kept = row !== undefined;
  }

  get value(): string | undefined {
    return this.#value;
  }

  learn(name: string): void {
    this.#value ??= name;
  }

  /** In the transaction of something that is written anyway. */
  keep(): void {
    if (this.#kept || this.#value === undefined) return;
    this.#database.run('CREATE TABLE IF NOT EXISTS object_name (name TEXT PRIMARY KEY) WITHOUT ROWID', []);
    this.#database.run('INSERT OR IGNORE INTO object_name (name) VALUES (?)', [this.#value]);
    this.#kept = true;
  }
}
