/** Finds running comparisons and suites that have no job, on PostgreSQL; see `sqlite-stray-rows.ts`. */
import type { StrayQuery, StrayRows } from '../sqlite/sqlite-stray-rows.js';
import type { PgDatabase, PgStatement } from './pg-database.js';
import { SELECT_STRAY_COMPARISONS, SELECT_STRAY_SUITES } from './sql/stray-rows.js';

export class PostgresStrayRows {
  readonly #database: PgDatabase;
  readonly #clock: () => number;

  constructor(database: PgDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  async find({ olderThanMs, limit }: StrayQuery): Promise<StrayRows> {
    const params = [this.#clock() - olderThanMs, limit];
    const keys = async (statement: PgStatement) =>
      (await this.#database.query(statement, params)).map((row) => ({
        tenantId: String(row['tenant_id']),
        id: String(row['id']),
      }));
    const comparisons = await keys(SELECT_STRAY_COMPARISONS);
    const suites = await keys(SELECT_STRAY_SUITES);
    return {
      comparisons: comparisons.map(({ tenantId, id }) => ({ tenantId, comparisonId: id })),
      suites: suites.map(({ tenantId, id }) => ({ tenantId, suiteId: id })),
    };
  }
}
