/**
 * Segments that are to go, as rows of the stream's own object: written in the transaction that removes the stream,
 * and gone only when the bucket has let the segments go. A ticket names one removal.
 */
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

const TABLE =
  'CREATE TABLE IF NOT EXISTS deletion_outbox (ticket TEXT PRIMARY KEY, keys TEXT NOT NULL) WITHOUT ROWID';
/** A row stays far below its bound: a key has about 80 bytes. */
const KEYS_PER_TICKET = 1_000;

export class DeletionOutbox {
  readonly #database: SqlDatabase;
  #tickets: Map<string, readonly string[]>;

  constructor(database: SqlDatabase) {
    this.#database = database;
    this.#tickets = this.#load();
  }

  get tickets(): readonly string[] {
    return [...this.#tickets.keys()];
  }

  keysOf(ticket: string): readonly string[] {
    return this.#tickets.get(ticket) ?? [];
  }

  /** Whether some ticket names this key already. */
  names(key: string): boolean {
    return [...this.#tickets.values()].some((keys) => keys.includes(key));
  }

  /** To be called in the transaction of the removal. */
  add(keys: readonly string[]): void {
    if (keys.length > 0) this.#database.run(TABLE, []);
    for (let at = 0; at < keys.length; at += KEYS_PER_TICKET) {
      const ticket = crypto.randomUUID();
      const some = keys.slice(at, at + KEYS_PER_TICKET);
      this.#database.run('INSERT INTO deletion_outbox (ticket, keys) VALUES (?, ?)', [
        ticket,
        JSON.stringify(some),
      ]);
      this.#tickets.set(ticket, some);
    }
  }

  done(ticket: string): void {
    this.#database.run('DELETE FROM deletion_outbox WHERE ticket = ?', [ticket]);
    this.#tickets.delete(ticket);
  }

  /** A transaction was undone: the rows decide. */
  lookAgain(): void {
    this.#tickets = this.#load();
  }

  #load(): Map<string, readonly string[]> {
    const [there] = this.#database.all("SELECT 1 FROM sqlite_master WHERE name = 'deletion_outbox'", []);
    const rows = there ? this.#database.all('SELECT ticket, keys FROM deletion_outbox', []) : [];
    return new Map(
      rows.map((row) => [String(row['ticket']), JSON.parse(String(row['keys'])) as readonly string[]]),
    );
  }
}
