/** The baselines of pairs on PostgreSQL: the same rows as on the embedded engine. */
import {
  type AcceptedFinding,
  type BaselineEntry,
  COMPARISON_LIMITS,
  type PairName,
} from '../../compare/index.js';
import type { PgDatabase, PgQueries, PgRow } from './pg-database.js';
import { LOCK_PAIR } from './sql/comparisons.js';
import * as sql from './sql/pair-baselines.js';

export class PostgresPairBaselines {
  readonly #database: PgDatabase;

  constructor(database: PgDatabase) {
    this.#database = database;
  }

  /** Under the lock of the pair, so that two calls cannot both fit below the bound. */
  accept({
    tenantId,
    pairKey,
    accepted,
  }: PairName & { readonly accepted: readonly AcceptedFinding[] }): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      await queries.query(LOCK_PAIR, [`${tenantId} ${pairKey}`]);
      const known = (await select(queries, { tenantId, pairKey })).map(({ entry }) => entry.fingerprint);
      const all = new Set([...known, ...accepted.map(({ entry }) => entry.fingerprint)]);
      if (all.size > COMPARISON_LIMITS.accepted) return false;
      for (const { entry, comparisonId, acceptedAt } of accepted) {
        const row = [entry.fingerprint, comparisonId, acceptedAt, JSON.stringify(entry)];
        await queries.query(sql.UPSERT_ACCEPTED, [tenantId, pairKey, ...row]);
      }
      return true;
    });
  }

  list(pair: PairName): Promise<readonly AcceptedFinding[]> {
    return select(this.#database, pair);
  }

  async remove({
    tenantId,
    pairKey,
    fingerprint,
  }: PairName & { readonly fingerprint: string }): Promise<boolean> {
    return this.#database.transaction(async (queries, mayHaveCommitted) => {
      const removed = await queries.query(sql.DELETE_ACCEPTED, [tenantId, pairKey, fingerprint]);
      return removed.length > 0 || mayHaveCommitted;
    });
  }
}

async function select(
  queries: Pick<PgQueries, 'query'>,
  { tenantId, pairKey }: PairName,
): Promise<readonly AcceptedFinding[]> {
  return (await queries.query(sql.SELECT_ACCEPTED, [tenantId, pairKey])).map(acceptedOf);
}

function acceptedOf(row: PgRow): AcceptedFinding {
  return {
    entry: JSON.parse(String(row['entry_json'])) as BaselineEntry,
    comparisonId: String(row['comparison_id']),
    acceptedAt: Number(row['accepted_at']),
  };
}
