/**
 * What a stream's object last reported to its tenant's object, and whether the stream is followed. It is a row, so
 * that an object that was evicted does not report appends without followers. Streams of the proxy keep it in memory
 * alone: nothing is appended to them after an eviction.
 */
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

export class LastReport {
  readonly #database: SqlDatabase;
  /** Undefined while nothing is known to have been reported. */
  shown: string | undefined;
  /** Until the tenant's object has responded once, an append waits to be sure. */
  followed = true;

  constructor(database: SqlDatabase) {
    this.#database = database;
    const [there] = database.all("SELECT 1 FROM sqlite_master WHERE name = 'last_report'", []);
    const [row] = there ? database.all('SELECT shown, followed FROM last_report', []) : [];
    if (!row) return;
    this.shown = String(row['shown']);
    this.followed = row['followed'] === 1;
  }

  keep(): void {
    const { shown, followed } = this;
    this.#database.transaction(() => {
      this.#database.run(TABLE, []);
      this.#database.run(UPSERT, [shown ?? '', followed ? 1 : 0]);
    });
  }
}

const TABLE = `CREATE TABLE IF NOT EXISTS last_report (
  one INTEGER PRIMARY KEY CHECK (one = 1), shown TEXT NOT NULL, followed INTEGER NOT NULL
)`;
const UPSERT = `INSERT INTO last_report (one, shown, followed) VALUES (1, ?, ?)
  ON CONFLICT (one) DO UPDATE SET shown = excluded.shown, followed = excluded.followed`;
