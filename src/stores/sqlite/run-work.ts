/** Runs the portable stores on SQLite. They are synchronous, so their host must be a thread that may block. */
import type { ComparisonStore, ComparisonStoreOptions, SuiteStore } from '../../compare/index.js';
import { ComparisonRows } from '../portable/comparison-rows.js';
import { runPort, type SqlWork } from '../portable/sql-work.js';
import { SuiteRows } from '../portable/suite-rows.js';
import { COMPARISON_SCHEMA } from './comparison-schema.js';
import { prepareSchema } from './prepare-schema.js';
import type { SqlDatabase } from './sql-database.js';
import { SUITE_SCHEMA } from './suite-schema.js';
import type { SyncPort } from './sync-port.js';

export function sqliteComparisonStore(database: SqlDatabase, options: ComparisonStoreOptions) {
  prepareSchema(database, COMPARISON_SCHEMA);
  return runPort(new ComparisonRows(options), (work) => runWork(database, work)) as SyncPort<ComparisonStore>;
}

export function sqliteSuiteStore(database: SqlDatabase, options: { readonly clock: () => number }) {
  prepareSchema(database, SUITE_SCHEMA);
  return runPort(new SuiteRows(options), (work) => runWork(database, work)) as SyncPort<SuiteStore>;
}

export function runWork<T>(database: SqlDatabase, work: SqlWork<T>): T {
  for (let given: unknown; ; ) {
    const { done, value } = work.next(given);
    if (done) return value;
    if ('work' in value) {
      given = database.transaction(() => runWork(database, value.work(false)));
    } else {
      const { sqlite, returnsRows } = value.statement;
      if (sqlite === undefined) given = [];
      else given = returnsRows ? database.all(sqlite, value.params) : database.run(sqlite, value.params);
    }
  }
}
