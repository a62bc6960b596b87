/** The retention of comparisons and suites on PostgreSQL. A pair goes with its last comparison; what was accepted stays. */
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

  /** Removes at most `limit` comparisons and as many suites, the oldest first; returns how many. */
  async prune({ olderThanMs, limit }: OldComparisonsQuery): Promise<number> {
    const params = [this.#clock() - olderThanMs, limit];
    const comparisons = await this.#database.query(PRUNE_COMPARISONS, params);
    const suites = await this.#database.query(PRUNE_SUITES, params);
    return comparisons.length + suites.length;
  }
}
