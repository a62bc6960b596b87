/**
 * Finds running comparisons and suites that have no job, because the process that created them died between the two
 * writes. No worker would ever finish them.
 */
import type { ComparisonKey, SuiteKey } from '../../compare/index.js';
import type { SqlDatabase } from './sql-database.js';

export interface StrayRows {
  readonly comparisons: readonly ComparisonKey[];
  readonly suites: readonly SuiteKey[];
}

export interface StrayQuery {
  /** The job of a newer one may be about to be created. */
  readonly olderThanMs: number;
  readonly limit: number;
}

export class SqliteStrayRows {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;

  constructor(database: SqlDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  find({ olderThanMs, limit }: StrayQuery): StrayRows {
    const params = [this.#clock() - olderThanMs, limit];
    const keys = (sql: string) =>
      this.#database
        .all(sql, params)
        .map((row) => ({ tenantId: String(row['tenant_id']), id: String(row['id']) }));
    return {
      comparisons: keys(SELECT_COMPARISONS).map(({ tenantId, id }) => ({ tenantId, comparisonId: id })),
      suites: keys(SELECT_SUITES).map(({ tenantId, id }) => ({ tenantId, suiteId: id })),
    };
  }
}

/**
 * A job has the id of its suite, or the last 36 characters of its comparison's id. The comparisons of a suite have no
 * job of their own.
 */
const SELECT_COMPARISONS = `SELECT c.id, c.tenant_id FROM comparisons c
  WHERE c.status = 'running' AND c.ts <= ?
    AND NOT EXISTS (SELECT 1 FROM audit_jobs j WHERE j.job_id = substr(c.id, -36))
    AND c.id NOT IN (
      SELECT p.comparison_id FROM suites s JOIN suite_paths p ON p.suite_id = s.id WHERE s.status = 'running'
    ) LIMIT ?`;

const SELECT_SUITES = `SELECT s.id, s.tenant_id FROM suites s
  WHERE s.status = 'running' AND s.ts <= ?
    AND NOT EXISTS (SELECT 1 FROM audit_jobs j WHERE j.job_id = s.id) LIMIT ?`;
