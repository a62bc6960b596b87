/**
 * The outbox of segments to delete, as rows in the stream's own object. A row is written in the transaction that
 * removes the stream, and deleted once the bucket has deleted the segments. A ticket names one removal. Its row has the
 * number of sends and the next due time, so that retries against a failing bucket back off even across restarts.
 */
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

const TABLE = `CREATE TABLE IF NOT EXISTS deletion_outbox (
  ticket TEXT PRIMARY KEY, keys TEXT NOT NULL, sends INTEGER NOT NULL DEFAULT 0, due_at INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID`;
/** Keeps a row far below the size limit; a key has about 80 bytes. */
const KEYS_PER_TICKET = 1_000;
/** The delay before an unacknowledged ticket is sent again; it doubles each time. */
export const RESEND_MS = 10_000;
const RESEND_MS_MAX = 600_000;

interface Ticket {
  readonly keys: readonly string[];
  readonly sends: number;
  readonly dueAt: number;
}

export class DeletionOutbox {
  readonly #database: SqlDatabase;
  #tickets: Map<string, Ticket>;

  constructor(database: SqlDatabase) {
    this.#database = database;
    this.#tickets = this.#load();
  }

  get tickets(): readonly string[] {
    return [...this.#tickets.keys()];
  }

  /** When the next ticket is due; undefined if there is none. */
  get dueAt(): number | undefined {
    const times = [...this.#tickets.values()].map(({ dueAt }) => dueAt);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  dueBy(at: number): readonly string[] {
    return this.tickets.filter((ticket) => (this.#tickets.get(ticket)?.dueAt ?? 0) <= at);
  }

  keysOf(ticket: string): readonly string[] {
    return this.#tickets.get(ticket)?.keys ?? [];
  }

  contains(key: string): boolean {
    return [...this.#tickets.values()].some(({ keys }) => keys.includes(key));
  }

  /** Call it in the transaction of the removal. */
  add(keys: readonly string[]): void {
    if (keys.length > 0) this.#database.run(TABLE, []);
    for (let at = 0; at < keys.length; at += KEYS_PER_TICKET) {
      const ticket = crypto.randomUUID();
      const some = keys.slice(at, at + KEYS_PER_TICKET);
      this.#database.run('INSERT INTO deletion_outbox (ticket, keys) VALUES (?, ?)', [
        ticket,
        JSON.stringify(some),
      ]);
      this.#tickets.set(ticket, { keys: some, sends: 0, dueAt: 0 });
    }
  }

  /** Records that these are being sent, with a longer delay until they are due again. */
  sent(tickets: readonly string[], at: number): void {
    for (const ticket of tickets) {
      const known = this.#tickets.get(ticket);
      if (!known) continue;
      const dueAt = at + Math.min(RESEND_MS * 2 ** known.sends, RESEND_MS_MAX);
      const sends = known.sends + 1;
      this.#database.run('UPDATE deletion_outbox SET sends = ?, due_at = ? WHERE ticket = ?', [
        sends,
        dueAt,
        ticket,
      ]);
      this.#tickets.set(ticket, { keys: known.keys, sends, dueAt });
    }
  }

  done(ticket: string): void {
    this.#database.run('DELETE FROM deletion_outbox WHERE ticket = ?', [ticket]);
    this.#tickets.delete(ticket);
  }

  /** Reloads the tickets after a transaction was rolled back. */
  reload(): void {
    this.#tickets = this.#load();
  }

  #load(): Map<string, Ticket> {
    const [table] = this.#database.all("SELECT 1 FROM sqlite_master WHERE name = 'deletion_outbox'", []);
    if (!table) return new Map();
    const rows = this.#database.all('SELECT ticket, keys, sends, due_at FROM deletion_outbox', []);
    return new Map(
      rows.map((row) => {
        const keys = JSON.parse(String(row['keys'])) as readonly string[];
        return [String(row['ticket']), { keys, sends: Number(row['sends']), dueAt: Number(row['due_at']) }];
      }),
    );
  }
}
