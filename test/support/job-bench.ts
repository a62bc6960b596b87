/**
 * A job store under test, with short helpers for what the contract does to it. The suite never waits: a lease of 0 ms
 * has already expired, and a delay of an hour has not.
 */
import {
  type ClaimedJob,
  type Job,
  type JobStore,
  type NewJob,
  type NewJobEvent,
  type Settlement,
  type TenantStore,
  uniqueKey,
  type WorkerShare,
} from '../../src/jobs/index.js';
import { hashParts } from '../../src/net/index.js';
import { uuidV7 } from '../../src/uuid.js';

export interface JobStoreBench {
  readonly jobs: JobStore;
  readonly tenants: TenantStore;
  stop(): Promise<void>;
}

export const LEASE_MS = 60_000;
export const HOUR_MS = 3_600_000;

export let bench: JobStoreBench;
export let tenantId: string;

export function useBench(other: JobStoreBench): void {
  bench = other;
}

/** Tenants of earlier tests still have their rows, so each test gets a new one. */
export async function useNewTenant(): Promise<void> {
  await emptyQueue();
  tenantId = await newTenant();
}

/** Returns a key for work that several jobs may share. */
export const workKey = (): string => hashParts([crypto.randomUUID()]);

export const newTenant = async (quotas = {}): Promise<string> => {
  const slug = `t-${crypto.randomUUID()}`;
  const tenant = await bench.tenants.create({ id: uuidV7(Date.now()), slug, name: slug, quotas });
  return tenant?.id ?? '';
};

export const newJob = (fields: Partial<NewJob> = {}): NewJob => ({
  jobId: uuidV7(Date.now()),
  tenantId,
  kind: 'hello',
  payload: { url: 'https://example.com/' },
  idempotencyKey: uniqueKey(),
  maxAttempts: 3,
  ...fields,
});

export const auditOf = (fields = {}) => ({
  auditId: uuidV7(Date.now()),
  url: 'https://example.com/',
  canonicalUrl: 'https://example.com/',
  options: {},
  recipeVersion: 'v1',
  ...fields,
});

export const enqueue = async (fields: Partial<NewJob> = {}): Promise<string> => {
  const [made] = await bench.jobs.enqueue([newJob(fields)]);
  return made?.jobId ?? '';
};

type ClaimFields = {
  leaseMs?: number;
  after?: string | null;
  workerId?: string;
  which?: 'shared' | 'alone';
  share?: WorkerShare;
};

export const claimWhole = (limit = 1, fields: ClaimFields = {}) =>
  bench.jobs.claim({
    workerId: 'w1',
    kinds: ['hello', 'audit', 'compare'],
    limit,
    leaseMs: LEASE_MS,
    runningMax: 1_000_000,
    after: null,
    ...fields,
  });

export const claim = async (limit = 1, fields: ClaimFields = {}): Promise<readonly ClaimedJob[]> =>
  (await claimWhole(limit, fields)).jobs;

export const claimOne = async (fields: { leaseMs?: number; workerId?: string } = {}): Promise<ClaimedJob> => {
  const [job] = await claim(1, fields);
  if (!job) throw new Error('nothing to claim');
  return job;
};

export const reap = (limit = 100, fractions: readonly number[] = Array(limit).fill(0)) =>
  bench.jobs.reap({ limit, backoffFirstMs: 1000, backoffMaxMs: 300_000, fractions });

export const settle = async (
  job: { jobId: string; leaseToken: number },
  fields: Partial<Settlement> = {},
) => {
  const { jobId, leaseToken } = job;
  const settlement: Settlement = {
    jobId,
    leaseToken,
    outcome: 'done',
    events: [],
    hadSteps: true,
    ...fields,
  };
  const [taken] = await bench.jobs.settle([settlement]);
  return taken;
};

export const event = (seq: number, fields: Partial<NewJobEvent> = {}): NewJobEvent => ({
  seq,
  type: 'metric',
  message: `m${seq}`,
  data: null,
  progressPct: null,
  ...fields,
});

export const getJob = async (jobId: string): Promise<Job> => {
  const job = await bench.jobs.get(tenantId, jobId);
  if (!job) throw new Error('no such job');
  return job;
};

export const eventsOf = (jobId: string) => bench.jobs.events(tenantId, jobId, { after: 0, limit: 1000 });

async function emptyQueue(): Promise<void> {
  for (;;) {
    const jobs = await claim(500);
    if (jobs.length === 0) return;
    await bench.jobs.settle(
      jobs.map(({ jobId, leaseToken }) => ({
        jobId,
        leaseToken,
        outcome: 'canceled',
        events: [],
        hadSteps: true,
      })),
    );
  }
}
