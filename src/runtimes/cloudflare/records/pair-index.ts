/**
 * The pairs that a tenant has compared, as last reported by their objects, once by their last comparison and once by
 * their last one outside suites. Used for lists.
 */
import type { ComparisonStatus, PairPosition, PairSummary } from '../../../compare/index.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

export type PairIndexName = 'pair_index' | 'own_pair_index';

export class PairIndex {
  readonly #database: SqlDatabase;
  readonly #name: PairIndexName;

  constructor(database: SqlDatabase, name: PairIndexName) {
    this.#database = database;
    this.#name = name;
    database.run(tableOf(name), []);
    database.run(`CREATE INDEX IF NOT EXISTS ${name}_newest ON ${name} (last_ts, last_id)`, []);
  }

  note(pair: PairSummary): void {
    const { pairKey, leftUrl, rightUrl, comparisons, lastTs, lastComparisonId, lastStatus } = pair;
    this.#database.run(upsertInto(this.#name), [
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
    this.#database.run(`DELETE FROM ${this.#name} WHERE pair_key = ?`, [pairKey]);
  }

  /** The most recently compared pair comes first. */
  list(limit: number, after: PairPosition = NEWEST): readonly PairSummary[] {
    return this.#database.all(selectFrom(this.#name), [after.ts, after.comparisonId, limit]).map((row) => ({
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

const NEWEST: PairPosition = { ts: Number.MAX_SAFE_INTEGER, comparisonId: '' };

const tableOf = (name: PairIndexName) => `CREATE TABLE IF NOT EXISTS ${name} (
  pair_key TEXT PRIMARY KEY, left_url TEXT NOT NULL, right_url TEXT NOT NULL, comparisons INTEGER NOT NULL,
  last_ts INTEGER NOT NULL, last_id TEXT NOT NULL, last_status TEXT NOT NULL
) WITHOUT ROWID`;
const upsertInto = (name: PairIndexName) => `INSERT OR REPLACE INTO ${name}
  (pair_key, left_url, right_url, comparisons, last_ts, last_id, last_status) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const selectFrom = (name: PairIndexName) => `SELECT * FROM ${name}
  WHERE (last_ts, last_id) < (?, ?) ORDER BY last_ts DESC, last_id DESC LIMIT ?`;
