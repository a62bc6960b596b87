/** The pairs that a tenant has compared, as last reported by their objects. Used for lists. */
import type { ComparisonStatus, PairSummary } from '../../../compare/index.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

export class PairIndex {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
    database.run(TABLE, []);
    database.run(INDEX, []);
  }

  note(pair: PairSummary): void {
    const { pairKey, leftUrl, rightUrl, comparisons, lastTs, lastComparisonId, lastStatus } = pair;
    this.#database.run(UPSERT, [
      pairKey,
      leftUrl,
      rightUrl,
      comparisons,
      lastTs,
      lastComparisonId,
      lastStatus,
    ]);
  }

  remove(pairKey: string): void {
    this.#database.run('DELETE FROM pair_index WHERE pair_key = ?', [pairKey]);
  }

  /** The most recently compared pair comes first. */
  list(limit: number): readonly PairSummary[] {
    return this.#database.all(SELECT, [limit]).map((row) => ({
      pairKey: String(row['pair_key']),
      leftUrl: String(row['left_url']),
      rightUrl: String(row['right_url']),
      comparisons: Number(row['comparisons']),
      lastTs: Number(row['last_ts']),
      lastComparisonId: String(row['last_id']),
      lastStatus: String(row['last_status']) as ComparisonStatus,
    }));
  }
}

const TABLE = `CREATE TABLE IF NOT EXISTS pair_index (
  pair_key TEXT PRIMARY KEY, left_url TEXT NOT NULL, right_url TEXT NOT NULL, comparisons INTEGER NOT NULL,
  last_ts INTEGER NOT NULL, last_id TEXT NOT NULL, last_status TEXT NOT NULL
) WITHOUT ROWID`;
const INDEX = 'CREATE INDEX IF NOT EXISTS pair_index_newest ON pair_index (last_ts, last_id)';
const UPSERT = `INSERT OR REPLACE INTO pair_index
  (pair_key, left_url, right_url, comparisons, last_ts, last_id, last_status) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const SELECT = 'SELECT * FROM pair_index ORDER BY last_ts DESC, last_id DESC LIMIT ?';
