/** Runs the portable stores on PostgreSQL. */
import type { ComparisonStore, ComparisonStoreOptions, SuiteStore } from '../../compare/index.js';
import { ComparisonRows } from '../portable/comparison-rows.js';
import type { SqlWork, WorkPort } from '../portable/sql-work.js';
import { SuiteRows } from '../portable/suite-rows.js';
import type { PgDatabase, PgQueries } from './pg-database.js';

export function postgresComparisonStore(database: PgDatabase, options: ComparisonStoreOptions) {
  return asyncPort<ComparisonStore>(database, new ComparisonRows(options));
}

export function postgresSuiteStore(database: PgDatabase, options: { readonly clock: () => number }) {
  return asyncPort<SuiteStore>(database, new SuiteRows(options));
}

/** `queries`: within a transaction, those of the transaction. */
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

function asyncPort<Port extends object>(database: PgDatabase, port: WorkPort<Port>): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return undefined;
      return (...args: unknown[]) => runWork(database, method.apply(target, args) as SqlWork<unknown>);
    },
  }) as unknown as Port;
}
