/** The retention of comparisons and suites on SQLite. Deleting the last comparison of a pair keeps its baseline. */
import { deleteComparison } from '../portable/comparison-rows.js';
import { deleteSuite } from '../portable/suite-rows.js';
import { runWork } from './run-work.js';
import type { SqlDatabase } from './sql-database.js';
import { stepTime } from './step-time.js';

export interface OldComparisonsQuery {
  readonly olderThanMs: number;
  readonly limit: number;
}

export class SqliteOldComparisons {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;
  readonly #mayDestroy: () => boolean;

  constructor(database: SqlDatabase, clock: () => number, mayDestroy: () => boolean = () => true) {
    this.#database = database;
    this.#clock = clock;
    this.#mayDestroy = mayDestroy;
  }

  /** Removes at most `limit` comparisons and as many suites, oldest first. Returns how many. */
  prune({ olderThanMs, limit }: OldComparisonsQuery): number {
    if (!this.#mayDestroy()) return 0;
    const params = [this.#clock() - olderThanMs, limit];
    const hasTime = stepTime();
    let removed = 0;
    const remove = (sql: string, act: typeof deleteComparison) => {
      for (const { id } of this.#database.all(sql, params)) {
        if (removed > 0 && !hasTime()) return;
        runWork(this.#database, act(String(id)));
        removed++;
      }
    };
    remove(SELECT_COMPARISONS, deleteComparison);
    remove(SELECT_SUITES, deleteSuite);
    return removed;
  }
}

const SELECT_COMPARISONS = `SELECT id FROM comparisons WHERE ts < ? AND status <> 'running' ORDER BY ts LIMIT ?`;
const SELECT_SUITES = `SELECT id FROM suites WHERE ts < ? AND status <> 'running' ORDER BY ts LIMIT ?`;
