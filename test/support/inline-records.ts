/** The real record stores on a real SQLite file, in this thread and with the test's own clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AuditStore } from '../../src/audits/index.js';
import {
  type IdempotencyStore,
  type JobStore,
  type Quotas,
  type TenantStore,
  uniqueKey,
  type WebhookStore,
} from '../../src/jobs/index.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { createRecordStores } from '../../src/stores/sqlite/record-stores.js';
import { uuidV7 } from '../../src/uuid.js';
import { asyncPort } from './async-port.js';

export interface InlineRecords {
  readonly jobs: JobStore;
  readonly audits: AuditStore;
  readonly webhooks: WebhookStore;
  readonly idempotency: IdempotencyStore;
  readonly tenantId: string;
  newTenant(slug: string): Promise<string>;
  /** Queues this many jobs of kind `hello` and returns their ids. */
  enqueue(count: number, ownerId?: string): Promise<string[]>;
  /** Claims a queued job and ends it as done. */
  finishOne(): Promise<void>;
}

export async function openInlineRecords(
  options: { clock?: () => number; quotas?: Partial<Quotas> } = {},
): Promise<InlineRecords> {
  const { clock = Date.now, quotas = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'sonde-records-'));
  const database = openDatabase(join(folder, 'records.db'));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const stores = createRecordStores(database, clock);
  const jobs = asyncPort<JobStore>(stores.jobs);
  const tenants = asyncPort<TenantStore>(stores.tenants);
  const newTenant = async (slug: string) =>
    (await tenants.create({ id: uuidV7(clock()), slug, name: slug, quotas }))?.id ?? '';
  const tenantId = await newTenant('acme');
  return {
    jobs,
    tenantId,
    newTenant,
    audits: asyncPort<AuditStore>(stores.audits),
    webhooks: asyncPort<WebhookStore>(stores.webhooks),
    idempotency: asyncPort<IdempotencyStore>(stores.idempotency),
    async enqueue(count, ownerId = tenantId) {
      const queued = await jobs.enqueue(
        Array.from({ length: count }, () => ({
          ...{
            jobId: uuidV7(clock()),
            tenantId: ownerId,
            kind: 'hello' as const,
            payload: {},
            maxAttempts: 3,
          },
          idempotencyKey: uniqueKey(),
        })),
      );
      return queued.map(({ jobId }) => jobId);
    },
    async finishOne() {
      const bounds = { limit: 1, leaseMs: 1_000, runningMax: 9, after: null };
      const { jobs: claimed } = await jobs.claim({ workerId: 'w', kinds: ['hello'], ...bounds });
      await jobs.settle(claimed.map((job) => ({ ...job, outcome: 'done', events: [], hadSteps: false })));
    },
  };
}
