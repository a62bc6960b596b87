/** The retention of comparisons and suites on SQLite. A pair goes with its last comparison; what was accepted of it stays. */
import { deleteComparison, deleteSuite } from './delete-comparison.js';
import type { SqlDatabase } from './sql-database.js';

export interface OldComparisonsQuery {
  readonly olderThanMs: number;
  readonly limit: number;
}

export class SqliteOldComparisons {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;

  constructor(database: SqlDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Removes at most `limit` comparisons and as many suites, the oldest first; returns how many. */
  prune({ olderThanMs, limit }: OldComparisonsQuery): number {
    const params = [this.#clock() - olderThanMs, limit];
    const comparisons = this.#database.all(SELECT_COMPARISONS, params);
    const suites = this.#database.all(SELECT_SUITES, params);
    for (const { id } of comparisons) deleteComparison(this.#database, String(id));
    for (const { id } of suites) deleteSuite(this.#database, String(id));
    return comparisons.length + suites.length;
  }
}

const SELECT_COMPARISONS = `SELECT id FROM comparisons WHERE ts < ? AND status <> 'running' ORDER BY ts LIMIT ?`;
const SELECT_SUITES = `SELECT id FROM suites WHERE ts < ? AND status <> 'running' ORDER BY ts LIMIT ?`;
