/** The stores of records on PostgreSQL, which is waited for at the start and whose migrations are applied first. */
import { setTimeout as wait } from 'node:timers/promises';
import { SondeError } from '../../../errors.js';
import { applyMigrations } from '../../../stores/postgres/apply-migrations.js';
import type { PgDatabase } from '../../../stores/postgres/pg-database.js';
import { PostgresAuditStore } from '../../../stores/postgres/postgres-audit-store.js';
import { PostgresComparisonStore } from '../../../stores/postgres/postgres-comparison-store.js';
import { PostgresIdempotencyStore } from '../../../stores/postgres/postgres-idempotency-store.js';
import { createPostgresHints } from '../../../stores/postgres/postgres-job-hints.js';
import { PostgresJobStore } from '../../../stores/postgres/postgres-job-store.js';
import { PostgresRevokedSessions } from '../../../stores/postgres/postgres-revoked-sessions.js';
import { PostgresStrayRows } from '../../../stores/postgres/postgres-stray-rows.js';
import { PostgresSuiteStore } from '../../../stores/postgres/postgres-suite-store.js';
import { PostgresTenantStore } from '../../../stores/postgres/postgres-tenant-store.js';
import { PostgresWebhookStore } from '../../../stores/postgres/postgres-webhook-store.js';
import { openPostgres } from '../postgres/open-postgres.js';
import { readMigrations } from '../postgres/read-migrations.js';
import type { RecordStoreSet, StoreOptions } from './compose-records.js';

export async function openClusterStores(url: string, options: StoreOptions): Promise<RecordStoreSet> {
  const { log, compare } = options;
  const database = openPostgres({ url, log });
  try {
    await prepareDatabase(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    jobs: new PostgresJobStore(database),
    tenants: new PostgresTenantStore(database),
    idempotency: new PostgresIdempotencyStore(database),
    webhooks: new PostgresWebhookStore(database),
    audits: new PostgresAuditStore(database),
    comparisons: new PostgresComparisonStore(database, {
      clock: Date.now,
      ...(compare && { kept: compare.kept }),
    }),
    suites: new PostgresSuiteStore(database, { clock: Date.now }),
    revokedSessions: new PostgresRevokedSessions(database, Date.now),
    strayRows: new PostgresStrayRows(database, Date.now),
    hints: createPostgresHints(database),
    close: () => database.close(),
  };
}

const RETRY_MS = 1_000;

/** A database that starts beside us, or fails over at this moment, is waited for; any other fault is final. */
async function prepareDatabase(
  database: PgDatabase,
  { log, migrationsUrl, databaseWaitMs = 0 }: StoreOptions,
): Promise<void> {
  const migrations = await readMigrations(migrationsUrl);
  const until = performance.now() + databaseWaitMs;
  for (;;) {
    try {
      const applied = await applyMigrations(database, migrations);
      for (const migration of applied) log.info('a migration was applied', { migration });
      return;
    } catch (thrown) {
      const passing = thrown instanceof SondeError && thrown.code === 'STORAGE_UNAVAILABLE';
      if (!passing) throw thrown;
      if (performance.now() + RETRY_MS > until) throw gaveUp(thrown, databaseWaitMs);
      log.warn('waiting for the database', { reason: thrown.message, forAtMostMs: databaseWaitMs });
      await wait(RETRY_MS);
    }
  }
}

function gaveUp(cause: SondeError, waitedMs: number): SondeError {
  const waited = waitedMs === 0 ? '' : ` It was waited for ${waitedMs / 1000} s.`;
  return new SondeError('STORAGE_UNAVAILABLE', `jobs.databaseUrl: ${cause.message}.${waited}`, { cause });
}
