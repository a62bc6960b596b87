/**
 * Finds running comparisons and suites that have no job, because the process that created them died between the two
 * writes. No worker would ever finish them.
 */
import type { ComparisonKey, SuiteKey } from '../../compare/index.js';
import { postgresOnly, query, type SqlWork } from './sql-work.js';

export interface StrayRows {
  readonly comparisons: readonly ComparisonKey[];
  readonly suites: readonly SuiteKey[];
}

export interface StrayQuery {
  /** The job of a newer one may be about to be created. */
  readonly olderThanMs: number;
  readonly limit: number;
}

export class StrayRowFinder {
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  *find({ olderThanMs, limit }: StrayQuery): SqlWork<StrayRows> {
    const params = [this.#clock() - olderThanMs, limit];
    const comparisons = yield* query(SELECT_STRAY_COMPARISONS, params);
    const suites = yield* query(SELECT_STRAY_SUITES, params);
    return {
      comparisons: comparisons.map((row) => ({
        tenantId: String(row['tenant_id']),
        comparisonId: String(row['id']),
      })),
      suites: suites.map((row) => ({ tenantId: String(row['tenant_id']), suiteId: String(row['id']) })),
    };
  }
}

/** Null if the id is not a UUID, because then it cannot be a job's. */
const jobId = (id: string) => `CASE WHEN ${id} ~ '^[0-9a-f-]{36}$' THEN (${id})::uuid END`;

/** A job has the last 36 characters of its comparison's id. The comparisons of a suite have no job of their own. */
export const SELECT_STRAY_COMPARISONS = {
  ...postgresOnly('select_stray_comparisons')`SELECT c.id, c.tenant_id FROM comparisons c
    WHERE c.status = 'running' AND c.ts <= ?
      AND NOT EXISTS (SELECT FROM audit_jobs j WHERE j.job_id = ${jobId('right(c.id, 36)')})
      AND NOT EXISTS (
        SELECT FROM suites s JOIN suite_paths p ON p.suite_id = s.id
        WHERE s.status = 'running' AND p.comparison_id = c.id
      ) LIMIT ?`,
  sqlite: `SELECT c.id, c.tenant_id FROM comparisons c
    WHERE c.status = 'running' AND c.ts <= ?
      AND NOT EXISTS (SELECT 1 FROM audit_jobs j WHERE j.job_id = substr(c.id, -36))
      AND c.id NOT IN (
        SELECT p.comparison_id FROM suites s JOIN suite_paths p ON p.suite_id = s.id WHERE s.status = 'running'
      ) LIMIT ?`,
};

/** A job has the id of its suite. */
export const SELECT_STRAY_SUITES = {
  ...postgresOnly('select_stray_suites')`SELECT s.id, s.tenant_id FROM suites s
    WHERE s.status = 'running' AND s.ts <= ?
      AND NOT EXISTS (SELECT FROM audit_jobs j WHERE j.job_id = ${jobId('s.id')}) LIMIT ?`,
  sqlite: `SELECT s.id, s.tenant_id FROM suites s
    WHERE s.status = 'running' AND s.ts <= ?
      AND NOT EXISTS (SELECT 1 FROM audit_jobs j WHERE j.job_id = s.id) LIMIT ?`,
};
