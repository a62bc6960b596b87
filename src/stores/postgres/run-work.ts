/** Runs the portable stores on PostgreSQL. */
import type { ComparisonStore, ComparisonStoreOptions, SuiteStore } from '../../compare/index.js';
import { ComparisonRows } from '../portable/comparison-rows.js';
import { runPort, type SqlWork } from '../portable/sql-work.js';
import { SuiteRows } from '../portable/suite-rows.js';
import type { PgDatabase, PgQueries } from './pg-database.js';

export function postgresComparisonStore(database: PgDatabase, options: ComparisonStoreOptions) {
  return runPort(new ComparisonRows(options), (work) => runWork(database, work)) as ComparisonStore;
}

export function postgresSuiteStore(database: PgDatabase, options: { readonly clock: () => number }) {
  return runPort(new SuiteRows(options), (work) => runWork(database, work)) as SuiteStore;
}

/** Inside a transaction, `queries` are those of the transaction. */
async function runWork<T>(database: PgDatabase, work: SqlWork<T>, queries: PgQueries = database): Promise<T> {
  for (let given: unknown; ; ) {
    const { done, value } = work.next(given);
    if (done) return value;
    if ('work' in value) {
      given = await database.transaction((inner, mayHaveCommitted) =>
        runWork(database, value.work(mayHaveCommitted), inner),
      );
    } else {
      const { name, text } = value.statement;
      given = text === undefined ? [] : await queries.query({ name, text }, value.params);
    }
  }
}
