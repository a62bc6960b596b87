/** Runs the portable stores on PostgreSQL. */
import type { ComparisonStoreOptions } from '../../compare/index.js';
import { ComparisonRows } from '../portable/comparison-rows.js';
import { RevokedSessionRows } from '../portable/revoked-sessions.js';
import { SealedRowFinder } from '../portable/sealed-rows.js';
import { type PortOf, runPort, type SqlWork } from '../portable/sql-work.js';
import { SuiteRows } from '../portable/suite-rows.js';
import { DeliveryCounter } from '../portable/waiting-deliveries.js';
import type { PgDatabase, PgQueries } from './pg-database.js';

export function postgresComparisonStore(database: PgDatabase, options: ComparisonStoreOptions) {
  return onPostgres(database, new ComparisonRows(options));
}

export function postgresSuiteStore(
  database: PgDatabase,
  options: Pick<ComparisonStoreOptions, 'clock' | 'jobClock'>,
) {
  return onPostgres(database, new SuiteRows(options));
}

export function postgresRevokedSessions(database: PgDatabase) {
  const { time } = database;
  const rows = new RevokedSessionRows(
    () => time.wall(),
    () => time.isTrusted(),
  );
  return onPostgres(database, rows);
}

export function postgresSealedRows(database: PgDatabase) {
  return onPostgres(database, new SealedRowFinder());
}

export function postgresDeliveryCounts(database: PgDatabase, clock: () => number) {
  return onPostgres(database, new DeliveryCounter(clock));
}

function onPostgres<Rows extends object>(database: PgDatabase, rows: Rows) {
  return runPort(rows, (work) => runWork(database, work)) as PortOf<Rows>;
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
