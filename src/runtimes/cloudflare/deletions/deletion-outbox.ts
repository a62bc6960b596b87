/**
 * Segments that are to go, as rows of the stream's own object: written in the transaction that removes the stream,
 * and gone only when the bucket has let the segments go. A ticket names one removal. How often it was sent and when
 * it is due again stand in its row, so that retries against a failing bucket back off even across restarts.
 */
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

const TABLE = `CREATE TABLE IF NOT EXISTS deletion_outbox (
  ticket TEXT PRIMARY KEY, keys TEXT NOT NULL, sends INTEGER NOT NULL DEFAULT 0, due_at INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID`;
/** What a table of an earlier version lacks. */
const SINCE = ['sends', 'due_at'] as const;
/** A row stays far below its bound: a key has about 80 bytes. */
const KEYS_PER_TICKET = 1_000;
/** An unacknowledged ticket is sent again after this long, and after twice as long each time. */
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

  /** When the next of them is due; undefined without any. */
  get dueAt(): number | undefined {
    const times = [...this.#tickets.values()].map(({ dueAt }) => dueAt);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Those that are to be sent by then. */
  dueBy(at: number): readonly string[] {
    return this.tickets.filter((ticket) => (this.#tickets.get(ticket)?.dueAt ?? 0) <= at);
  }

  keysOf(ticket: string): readonly string[] {
    return this.#tickets.get(ticket)?.keys ?? [];
  }

  /** Whether some ticket names this key already. */
  names(key: string): boolean {
    return [...this.#tickets.values()].some(({ keys }) => keys.includes(key));
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
      this.#tickets.set(ticket, { keys: some, sends: 0, dueAt: 0 });
    }
  }

  /** These are being sent; each is due again later than the last time. */
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

  /** A transaction was undone: the rows decide. */
  lookAgain(): void {
    this.#tickets = this.#load();
  }

  #load(): Map<string, Ticket> {
    const [table] = this.#database.all("SELECT sql FROM sqlite_master WHERE name = 'deletion_outbox'", []);
    if (!table) return new Map();
    for (const column of SINCE) {
      if (String(table['sql']).includes(column)) continue;
      this.#database.run(`ALTER TABLE deletion_outbox ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`, []);
    }
    const rows = this.#database.all('SELECT ticket, keys, sends, due_at FROM deletion_outbox', []);
    return new Map(
      rows.map((row) => {
        const keys = JSON.parse(String(row['keys'])) as readonly string[];
        return [String(row['ticket']), { keys, sends: Number(row['sends']), dueAt: Number(row['due_at']) }];
      }),
    );
  }
}
