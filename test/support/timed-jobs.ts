/** The real job store on SQLite in this thread, with a clock that only the test moves. */
import { onTestFinished } from 'vitest';
import {
  type ClaimedJob,
  type ClaimRequest,
  type NewJob,
  type NewJobEvent,
  type Quotas,
  type Settlement,
  uniqueKey,
} from '../../src/jobs/index.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { createRecordStores } from '../../src/stores/sqlite/record-stores.js';

export const START_MS = Date.UTC(2026, 0, 1);
export const TENANT = 'acme';

export function openTimedJobs() {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const clock = { ms: START_MS };
  const stores = createRecordStores(database, () => clock.ms);
  const { jobs } = stores;
  const addTenant = (id: string, quotas: Partial<Quotas> = {}) =>
    stores.tenants.create({ id, slug: `slug of ${id}`, name: id, quotas });
  addTenant(TENANT);

  const enqueue = (jobId: string, fields: Partial<NewJob> = {}) => {
    const job = { jobId, tenantId: TENANT, kind: 'hello' as const, payload: { jobId }, maxAttempts: 3 };
    const [made] = jobs.enqueue([{ ...job, idempotencyKey: uniqueKey(), ...fields }]);
    return made;
  };
  const claimWhole = (limit = 9, fields: Partial<ClaimRequest> = {}) =>
    jobs.claim({
      ...{ workerId: 'w', kinds: ['hello', 'audit', 'compare'], leaseMs: 1_000, runningMax: 99 },
      ...{ limit, after: null, ...fields },
    });
  const claim = (limit = 9, fields: Partial<ClaimRequest> = {}): readonly ClaimedJob[] =>
    claimWhole(limit, fields).jobs;
  const settle = (job: { jobId: string; leaseToken: number }, fields: Partial<Settlement> = {}) => {
    const { jobId, leaseToken } = job;
    return jobs.settle([{ jobId, leaseToken, outcome: 'done', events: [], hadSteps: false, ...fields }])[0];
  };
  const reap = (fields: { limit?: number; fractions?: readonly number[] } = {}) =>
    jobs.reap({ limit: 9, backoffFirstMs: 1_000, backoffMaxMs: 60_000, fractions: [], ...fields });
  return {
    ...stores,
    ...{ database, clock, addTenant, enqueue, claimWhole, claim, settle, reap },
    claimIds: (limit = 9, fields: Partial<ClaimRequest> = {}) =>
      claim(limit, fields).map(({ jobId }) => jobId),
    get: (jobId: string, tenantId = TENANT) => jobs.get(tenantId, jobId),
    events: (jobId: string) => jobs.events(TENANT, jobId, { after: 0, limit: 10_000 }),
    /** Lets time pass and ends a claimed job. */
    finish: (jobId: string, fields: Partial<Settlement> = {}) => {
      const held = claim(99).find((job) => job.jobId === jobId);
      return settle(held ?? { jobId, leaseToken: 0 }, fields);
    },
  };
}

export const event = (seq: number, fields: Partial<NewJobEvent> = {}): NewJobEvent => ({
  ...{ seq, type: 'metric', message: `m${seq}`, data: null, progressPct: null },
  ...fields,
});

export const audit = (auditId: string, fields: { readonly reuseMs?: number } = {}) => ({
  ...{ auditId, url: 'https://example.com/', canonicalUrl: 'https://example.com/', options: {} },
  ...{ recipeVersion: 'v1', ...fields },
});
