/**
 * Lists all stores that share the records file, its thread and its transactions. A store is synchronous code over
 * `SqlDatabase`. A store that is added here can be called by its name through the host (`runtimes/node/records/`).
 */
import { COMPARISON_SCHEMA } from './comparison-schema.js';
import { prepareSchema, type Schema } from './prepare-schema.js';
import { RECORD_SCHEMA } from './record-schema.js';
import { reshapeEvents } from './reshape-events.js';
import {
  sqliteComparisonStore,
  sqliteDeliveryCounts,
  sqliteRevokedSessions,
  sqliteSealedRows,
  sqliteStrayRows,
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

export const RECORD_FILE_SCHEMAS: readonly Schema[] = [RECORD_SCHEMA, COMPARISON_SCHEMA, SUITE_SCHEMA];

/** `comparisonsKept` is per pair. */
export function createRecordStores(
  database: SqlDatabase,
  clock: () => number,
  { comparisonsKept }: { readonly comparisonsKept?: number } = {},
) {
  prepareSchema(database, RECORD_SCHEMA);
  reshapeEvents(database);
  return {
    jobs: new SqliteJobStore(database, clock),
    tenants: new SqliteTenantStore(database, clock),
    idempotency: new SqliteIdempotencyStore(database, clock),
    webhooks: new SqliteWebhookStore(database, clock),
    audits: new SqliteAuditStore(database),
    comparisons: sqliteComparisonStore(database, {
      clock,
      ...(comparisonsKept !== undefined && { kept: comparisonsKept }),
    }),
    suites: sqliteSuiteStore(database, { clock }),
    revokedSessions: sqliteRevokedSessions(database, clock),
    strayRows: sqliteStrayRows(database, clock),
    sealedRows: sqliteSealedRows(database),
    deliveryCounts: sqliteDeliveryCounts(database, clock),
    oldComparisons: new SqliteOldComparisons(database, clock),
  };
}

export type RecordStores = ReturnType<typeof createRecordStores>;
