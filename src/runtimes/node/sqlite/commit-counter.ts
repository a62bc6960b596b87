/**
 * Counts the commits of a database in a row of its own and in a file beside it. SQLite silently ends a damaged log at
 * the first bad frame, so losses are always at the end of the log. If the row is behind the file at a start, commits
 * that were acknowledged are gone. Several processes may count in one database: each writes a number that it has
 * committed, so the file can be behind the row, and is never ahead of it.
 */
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import { MarkFile } from './mark-file.js';

export interface Commits {
  readonly count: number;
  /** When the last one was made, in milliseconds since the epoch. */
  readonly at: number;
}

export interface LostCommits {
  readonly acknowledged: Commits;
  readonly found: Commits;
}

type Fields = readonly [count: number, at: number];

const TABLE = `CREATE TABLE IF NOT EXISTS commit_count (
  id INTEGER PRIMARY KEY CHECK (id = 1), n INTEGER NOT NULL, at INTEGER NOT NULL
)`;
const COUNT = `INSERT INTO commit_count (id, n, at) VALUES (1, 1, ?)
  ON CONFLICT (id) DO UPDATE SET n = n + 1, at = excluded.at RETURNING n`;
/** Continues above the file, so that a loss is found once. */
const SKIP = `INSERT INTO commit_count (id, n, at) VALUES (1, ?, ?)
  ON CONFLICT (id) DO UPDATE SET n = excluded.n, at = excluded.at`;

export class CommitCounter {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;
  readonly #file: MarkFile<Fields>;
  #counted: Fields | undefined;

  constructor(database: SqlDatabase, path: string, clock: () => number = Date.now) {
    this.#database = database;
    this.#clock = clock;
    this.#file = new MarkFile(path);
    database.run(TABLE, []);
  }

  /** Call it in a transaction. Returns the commits that the database had and no longer has. */
  takeLoss(): LostCommits | undefined {
    const [count = 0, at = 0] = this.#file.found ?? [];
    const [row] = this.#database.all('SELECT n, at FROM commit_count', []);
    const found = { count: Number(row?.['n'] ?? 0), at: Number(row?.['at'] ?? 0) };
    if (found.count >= count) return undefined;
    this.#database.run(SKIP, [count, found.at]);
    return { acknowledged: { count, at }, found };
  }

  /** How many rows this connection has changed; if it grows, the transaction must be counted. */
  changes(): number {
    return Number(this.#database.all('SELECT total_changes() AS n', [])[0]?.['n']);
  }

  /** Call it at the end of a transaction that changes something. */
  count(): void {
    const at = this.#clock();
    const [row] = this.#database.all(COUNT, [at]);
    this.#counted = [Number(row?.['n']), at];
  }

  /** Call it after the commit and before anything is acknowledged. */
  committed(): void {
    const counted = this.#counted;
    this.#counted = undefined;
    if (!counted) return;
    try {
      this.#file.write(counted);
    } catch {
      // An outdated number detects fewer losses, and causes no false alarm.
    }
  }

  /** Call it if the transaction was rolled back. */
  undone(): void {
    this.#counted = undefined;
  }

  close(): void {
    this.#file.close();
  }
}
