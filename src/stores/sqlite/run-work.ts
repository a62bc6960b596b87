/** Runs the portable stores on SQLite. They are synchronous, so their host must be a thread that may block. */
import type { ComparisonStoreOptions } from '../../compare/index.js';
import { ComparisonRows } from '../portable/comparison-rows.js';
import { RevokedSessionRows } from '../portable/revoked-sessions.js';
import { SealedRowFinder } from '../portable/sealed-rows.js';
import { type PortOf, runPort, type SqlWork } from '../portable/sql-work.js';
import { SuiteRows } from '../portable/suite-rows.js';
import { DeliveryCounter } from '../portable/waiting-deliveries.js';
import { COMPARISON_SCHEMA } from './comparison-schema.js';
import { prepareSchema } from './prepare-schema.js';
import type { SqlDatabase } from './sql-database.js';
import { SUITE_SCHEMA } from './suite-schema.js';
import type { SyncPort } from './sync-port.js';

export function sqliteComparisonStore(database: SqlDatabase, options: ComparisonStoreOptions) {
  prepareSchema(database, COMPARISON_SCHEMA);
  return onSqlite(database, new ComparisonRows(options));
}

export function sqliteSuiteStore(database: SqlDatabase, options: { readonly clock: () => number }) {
  prepareSchema(database, SUITE_SCHEMA);
  return onSqlite(database, new SuiteRows(options));
}

export function sqliteRevokedSessions(
  database: SqlDatabase,
  clock: () => number,
  mayDestroy: () => boolean = () => true,
) {
  return onSqlite(database, new RevokedSessionRows(clock, mayDestroy));
}

export function sqliteSealedRows(database: SqlDatabase) {
  return onSqlite(database, new SealedRowFinder());
}

export function sqliteDeliveryCounts(database: SqlDatabase, clock: () => number) {
  return onSqlite(database, new DeliveryCounter(clock));
}

function onSqlite<Rows extends object>(database: SqlDatabase, rows: Rows) {
  return runPort(rows, (work) => runWork(database, work)) as SyncPort<PortOf<Rows>>;
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
