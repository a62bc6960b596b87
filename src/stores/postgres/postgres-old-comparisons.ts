/** The retention of comparisons and suites on PostgreSQL. Deleting the last comparison of a pair keeps its baseline. */
import type { OldComparisonsQuery } from '../sqlite/sqlite-old-comparisons.js';
import { MAINTENANCE, type PgDatabase } from './pg-database.js';
import { PRUNE_COMPARISONS, PRUNE_SUITES } from './sql/old-comparisons.js';

export class PostgresOldComparisons {
  readonly #database: PgDatabase;

  constructor(database: PgDatabase) {
    this.#database = database;
  }

  /** Removes at most `limit` comparisons and as many suites, oldest first. Returns how many. */
  async prune({ olderThanMs, limit }: OldComparisonsQuery): Promise<number> {
    return this.#database.transaction(async (queries) => {
      const now = await this.#database.time.mayDestroy(queries);
      if (now === undefined) return 0;
      const params = [now - olderThanMs, limit];
      const comparisons = await queries.query(PRUNE_COMPARISONS, params);
      const suites = await queries.query(PRUNE_SUITES, params);
      return comparisons.length + suites.length;
    }, MAINTENANCE);
  }
}
