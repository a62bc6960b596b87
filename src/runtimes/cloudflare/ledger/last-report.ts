/**
 * What a stream's object last reported to its tenant's object, and whether the stream is followed. It is stored, so
 * that after an eviction the object does not report appends without followers. Proxied streams keep it only in memory,
 * because they get no appends after an eviction.
 */
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

export class LastReport {
  readonly #database: SqlDatabase;
  /** Undefined until a report has succeeded. */
  shown: string | undefined;
  /** True until the tenant's object has responded once, so that no append goes unreported. */
  followed = true;

  constructor(database: SqlDatabase) {
    this.#database = database;
    const [table] = database.all("SELECT 1 FROM sqlite_master WHERE name = 'last_report'", []);
    const [row] = table ? database.all('SELECT shown, followed FROM last_report', []) : [];
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
