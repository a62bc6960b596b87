/** The retention of comparisons and suites on PostgreSQL. Deleting the last comparison of a pair keeps its baseline. */
import type { OldComparisonsQuery } from '../sqlite/sqlite-old-comparisons.js';
import type { PgDatabase } from './pg-database.js';
import { PRUNE_COMPARISONS, PRUNE_SUITES } from './sql/old-comparisons.js';

export class PostgresOldComparisons {
  readonly #database: PgDatabase;
  readonly #clock: () => number;

  constructor(database: PgDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Removes at most `limit` comparisons and as many suites, oldest first. Returns how many. */
  async prune({ olderThanMs, limit }: OldComparisonsQuery): Promise<number> {
    const params = [this.#clock() - olderThanMs, limit];
    const comparisons = await this.#database.query(PRUNE_COMPARISONS, params);
    const suites = await this.#database.query(PRUNE_SUITES, params);
    return comparisons.length + suites.length;
  }
}
