/**
 * Lists all stores that share the records file, its thread and its transactions. A store is synchronous code over
 * `SqlDatabase`. A store that is added here can be called by its name through the host (`runtimes/node/records/`).
 */
import { CLOCK_SCHEMA } from './clock-state.js';
import { COMPARISON_SCHEMA } from './comparison-schema.js';
import { prepareSchema, type Schema } from './prepare-schema.js';
import { RECORD_SCHEMA } from './record-schema.js';
import {
  sqliteComparisonStore,
  sqliteDeliveryCounts,
  sqliteRevokedSessions,
  sqliteSealedRows,
  sqliteSuiteStore,
} from './run-work.js';
import type { SqlDatabase } from './sql-database.js';
import { SqliteAuditStore } from './sqlite-audit-store.js';
import { SqliteIdempotencyStore } from './sqlite-idempotency-store.js';
import { SqliteJobStore } from './sqlite-job-store.js';
import { SqliteOldComparisons } from './sqlite-old-comparisons.js';
import { SqliteTenantStore } from './sqlite-tenant-store.js';
import { SqliteWebhookStore } from './sqlite-webhook-store.js';
import { SUITE_SCHEMA } from './suite-schema.js';

export const RECORD_FILE_SCHEMAS: readonly Schema[] = [
  RECORD_SCHEMA,
  COMPARISON_SCHEMA,
  SUITE_SCHEMA,
  CLOCK_SCHEMA,
];

interface RecordOptions {
  /** Per pair. */
  readonly comparisonsKept?: number;
  /** False while nothing may be destroyed because of a date. */
  readonly mayDestroy?: () => boolean;
}

export function createRecordStores(
  database: SqlDatabase,
  clock: () => number,
  { comparisonsKept, mayDestroy = () => true }: RecordOptions = {},
) {
  prepareSchema(database, RECORD_SCHEMA);
  return {
    jobs: new SqliteJobStore(database, clock, mayDestroy),
    tenants: new SqliteTenantStore(database, clock),
    idempotency: new SqliteIdempotencyStore(database, clock, mayDestroy),
    webhooks: new SqliteWebhookStore(database, clock, mayDestroy),
    audits: new SqliteAuditStore(database),
    comparisons: sqliteComparisonStore(database, {
      clock,
      ...(comparisonsKept !== undefined && { kept: comparisonsKept }),
    }),
    suites: sqliteSuiteStore(database, { clock }),
    revokedSessions: sqliteRevokedSessions(database, clock, mayDestroy),
    sealedRows: sqliteSealedRows(database),
    deliveryCounts: sqliteDeliveryCounts(database, clock),
    oldComparisons: new SqliteOldComparisons(database, clock, mayDestroy),
  };
}

export type RecordStores = ReturnType<typeof createRecordStores>;
