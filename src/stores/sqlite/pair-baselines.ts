/** The rows of pairs' baselines; every method is one transaction. */
import {
  type AcceptedFinding,
  type BaselineEntry,
  COMPARISON_LIMITS,
  type PairName,
} from '../../compare/index.js';
import type { SqlDatabase, SqlRow } from './sql-database.js';

export class PairBaselines {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  accept({
    tenantId,
    pairKey,
    accepted,
  }: PairName & { readonly accepted: readonly AcceptedFinding[] }): boolean {
    return this.#database.transaction(() => {
      const known = this.list({ tenantId, pairKey }).map(({ entry }) => entry.fingerprint);
      const all = new Set([...known, ...accepted.map(({ entry }) => entry.fingerprint)]);
      if (all.size > COMPARISON_LIMITS.accepted) return false;
      for (const { entry, comparisonId, acceptedAt } of accepted) {
        const json = JSON.stringify(entry);
        this.#database.run(UPSERT, [tenantId, pairKey, entry.fingerprint, comparisonId, acceptedAt, json]);
      }
      return true;
    });
  }

  list({ tenantId, pairKey }: PairName): readonly AcceptedFinding[] {
    return this.#database.all(SELECT, [tenantId, pairKey]).map(acceptedOf);
  }

  remove({ tenantId, pairKey, fingerprint }: PairName & { readonly fingerprint: string }): boolean {
    return this.#database.all(DELETE, [tenantId, pairKey, fingerprint]).length > 0;
  }

  /** Whether there was anything. */
  clear({ tenantId, pairKey }: PairName): boolean {
    return this.#database.all(DELETE_ALL, [tenantId, pairKey]).length > 0;
  }
}

function acceptedOf(row: SqlRow): AcceptedFinding {
  return {
    entry: JSON.parse(String(row['entry_json'])) as BaselineEntry,
    comparisonId: String(row['comparison_id']),
    acceptedAt: Number(row['accepted_at']),
  };
}

const UPSERT = `INSERT OR REPLACE INTO pair_baselines
  (tenant_id, pair_key, fingerprint, comparison_id, accepted_at, entry_json) VALUES (?, ?, ?, ?, ?, ?)`;
const SELECT = `SELECT * FROM pair_baselines WHERE tenant_id = ? AND pair_key = ?
  ORDER BY accepted_at, fingerprint`;
const DELETE = `DELETE FROM pair_baselines WHERE tenant_id = ? AND pair_key = ? AND fingerprint = ?
  RETURNING fingerprint`;
const DELETE_ALL = 'DELETE FROM pair_baselines WHERE tenant_id = ? AND pair_key = ? RETURNING fingerprint';
