/** Sonde's queue for the benchmark, with the product's defaults. */
import { JOB_LIMITS, JobWakes, JobWorker, uniqueKey } from '../../src/jobs/index.js';
import { createRedactor } from '../../src/net/index.js';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { readMigrations } from '../../src/runtimes/node/postgres/read-migrations.js';
import { applyMigrations } from '../../src/stores/postgres/apply-migrations.js';
import { createPostgresHints } from '../../src/stores/postgres/postgres-job-hints.js';
import { PostgresJobStore } from '../../src/stores/postgres/postgres-job-store.js';
import { PostgresTenantStore } from '../../src/stores/postgres/postgres-tenant-store.js';
import { uuidV7 } from '../../src/uuid.js';

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: console.error, error: console.error, child: () => log };

/** Calls `onJob` when a handler starts. */
export async function openQueue(url: string, migrations: URL, onJob: () => void) {
  const database = openPostgres({ url, log });
  await applyMigrations(database, await readMigrations(migrations));
  const tenants = new PostgresTenantStore(database);
  const made = { id: uuidV7(Date.now()), slug: 'bench', name: 'Bench', quotas: {} };
  const tenant = (await tenants.bySlug('bench')) ?? (await tenants.create(made));
  const store = new PostgresJobStore(database);
  const tenantId = tenant?.id ?? '';
  const worker = new JobWorker({
    store,
    handlers: { hello: async () => onJob() },
    hints: createPostgresHints(database),
    wakes: new JobWakes(),
    log,
    redactor: createRedactor(),
    clock: Date.now,
    random: Math.random,
    options: {
      workerId: 'bench',
      leaseMs: JOB_LIMITS.leaseMs,
      concurrency: JOB_LIMITS.concurrency,
      pollMs: JOB_LIMITS.pollMs,
      durationMs: JOB_LIMITS.durationMs,
    },
  });
  return {
    worker,
    async enqueue(count: number) {
      const jobs = Array.from({ length: count }, () => {
        const jobId = uuidV7(Date.now());
        const payload = { url: 'https://example.com/' };
        const idempotencyKey = uniqueKey(jobId);
        return { jobId, tenantId, kind: 'hello' as const, payload, idempotencyKey, maxAttempts: 3 };
      });
      await store.enqueue(jobs);
    },
    async open() {
      const { queued, running } = await store.counts(tenantId);
      return queued + running;
    },
    async stop() {
      await worker.stop(1_000);
      await database.close();
    },
  };
}
