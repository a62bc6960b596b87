/** Opens the record stores on PostgreSQL. Waits for the database at startup and applies the migrations first. */
import { applyMigrations } from '../../../stores/postgres/apply-migrations.js';
import { PostgresAuditStore } from '../../../stores/postgres/postgres-audit-store.js';
import { PostgresIdempotencyStore } from '../../../stores/postgres/postgres-idempotency-store.js';
import { createPostgresHints } from '../../../stores/postgres/postgres-job-hints.js';
import { PostgresJobStore } from '../../../stores/postgres/postgres-job-store.js';
import { PostgresOldComparisons } from '../../../stores/postgres/postgres-old-comparisons.js';
import { PostgresTenantStore } from '../../../stores/postgres/postgres-tenant-store.js';
import { PostgresWebhookStore } from '../../../stores/postgres/postgres-webhook-store.js';
import {
  postgresComparisonStore,
  postgresDeliveryCounts,
  postgresRevokedSessions,
  postgresSealedRows,
  postgresSuiteStore,
} from '../../../stores/postgres/run-work.js';
import { openPostgres } from '../postgres/open-postgres.js';
import { readMigrations } from '../postgres/read-migrations.js';
import type { RecordStoreSet, StoreOptions } from './compose-records.js';
import { waitForDatabase } from './wait-for-database.js';

export async function openClusterStores(url: string, options: StoreOptions): Promise<RecordStoreSet> {
  const { settings, urls, log } = options;
  const database = openPostgres({ url, log });
  try {
    const migrations = await readMigrations(urls.migrations);
    const applied = await waitForDatabase(options, () => applyMigrations(database, migrations));
    for (const migration of applied) log.info('a migration was applied', { migration });
    await database.time.open(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const jobClock = () => database.time.now();
  return {
    jobs: new PostgresJobStore(database),
    tenants: new PostgresTenantStore(database),
    idempotency: new PostgresIdempotencyStore(database),
    webhooks: new PostgresWebhookStore(database),
    audits: new PostgresAuditStore(database),
    comparisons: postgresComparisonStore(database, {
      clock: Date.now,
      jobClock,
      kept: settings.compare.kept,
    }),
    suites: postgresSuiteStore(database, { clock: Date.now, jobClock }),
    revokedSessions: postgresRevokedSessions(database),
    sealedRows: postgresSealedRows(database),
    deliveryCounts: postgresDeliveryCounts(database, Date.now),
    database,
    oldComparisons: new PostgresOldComparisons(database),
    hints: createPostgresHints(database),
    notes: () => database.time.notes(),
    close: () => database.close(),
  };
}
