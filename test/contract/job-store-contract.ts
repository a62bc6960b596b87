/** What every engine of the queue guarantees: enqueueing jobs, and claiming them fairly. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ClaimedJob } from '../../src/jobs/index.js';
import {
  auditOf,
  bench,
  claim,
  claimOne,
  claimWhole,
  enqueue,
  event,
  eventsOf,
  getJob,
  HOUR_MS,
  type JobStoreBench,
  LEASE_MS,
  newJob,
  newTenant,
  settle,
  tenantId,
  useBench,
  useNewTenant,
  workKey,
} from '../support/job-bench.js';
import { crowdContract } from './job-crowd-contract.js';
import { changeContract, holderContract, readContract, reapContract } from './job-holder-contract.js';
import { transitionContract } from './job-transition-contract.js';

export function jobStoreContract(open: () => Promise<JobStoreBench>): void {
  beforeAll(async () => {
    useBench(await open());
  });
  afterAll(() => bench.stop());
  beforeEach(async () => {
    await useNewTenant();
  });

  describe('enqueue', enqueueContract);
  describe('claim', claimContract);
  describe('fairness', () => fairnessContract(open));
  describe('the whole queue', () => overviewContract(open));
  describe('the holder', holderContract);
  describe('expired leases', reapContract);
  describe('cancel and retry', changeContract);
  describe('reading', readContract);
  describe('every state and event', transitionContract);
  describe('several at once', crowdContract);
}

function enqueueContract(): void {
  test('a job is queued as it was given', async () => {
    const jobId = await enqueue({ priority: 5, payload: { a: [1, 'ü', null], b: 'x\u0000y' } });
    const job = await getJob(jobId);
    expect(job).toMatchObject({
      status: 'queued',
      kind: 'hello',
      attempt: 0,
      maxAttempts: 3,
      priority: 5,
      leaseToken: 0,
      eventSeq: 0,
      auditId: null,
      startedAt: null,
      finishedAt: null,
      lockedUntil: null,
      lockedBy: null,
      lastError: null,
      cancelRequested: false,
    });
    expect(job.payload).toMatchObject({ a: [1, 'ü', null] });
    expect(job.runAt).toBeGreaterThanOrEqual(job.queuedAt - 1);
  });

  test('S5: the same work is the same job while it is queued or running, and a new job afterwards', async () => {
    const idempotencyKey = workKey();
    const first = await enqueue({ idempotencyKey });
    expect(await bench.jobs.enqueue([newJob({ idempotencyKey })])).toEqual([
      { jobId: first, auditId: null, created: false },
    ]);
    const held = await claimOne();
    expect(await enqueue({ idempotencyKey })).toBe(first);
    await settle(held);
    const second = await enqueue({ idempotencyKey });
    expect(second).not.toBe(first);
    await settle(await claimOne(), { outcome: 'failed', error: 'x' });
    expect(await enqueue({ idempotencyKey })).not.toBe(second);
  });

  test('the same work of another tenant is a separate job', async () => {
    const idempotencyKey = workKey();
    const first = await enqueue({ idempotencyKey });
    expect(await enqueue({ idempotencyKey, tenantId: await newTenant() })).not.toBe(first);
  });

  test('a repeated call with the same ids creates nothing twice', async () => {
    const jobs = [newJob(), newJob()];
    const first = await bench.jobs.enqueue(jobs);
    expect(await bench.jobs.enqueue(jobs)).toEqual(first);
    expect(await bench.jobs.counts(tenantId)).toEqual({ queued: 2, running: 0 });
  });

  test('the same work twice in one call is one job', async () => {
    const idempotencyKey = workKey();
    const [a, b] = await bench.jobs.enqueue([newJob({ idempotencyKey }), newJob({ idempotencyKey })]);
    expect(b?.jobId).toBe(a?.jobId);
    expect([a?.created, b?.created]).toEqual([true, false]);
  });

  test('an audit is created with its job, once, and its status follows the job', async () => {
    const idempotencyKey = workKey();
    const audit = auditOf();
    const [made] = await bench.jobs.enqueue([newJob({ kind: 'audit', idempotencyKey, audit })]);
    expect(made).toMatchObject({ auditId: audit.auditId, created: true });
    const again = await bench.jobs.enqueue([newJob({ kind: 'audit', idempotencyKey, audit: auditOf() })]);
    expect(again).toEqual([{ ...made, created: false }]);
    const held = await claimOne();
    expect(held.auditId).toBe(audit.auditId);
    await settle(held, { events: [event(1)] });
    expect((await eventsOf(held.jobId))[0]?.auditId).toBe(audit.auditId);
  });

  test('a finished audit is reused while it is recent enough, a failed one never', async () => {
    const idempotencyKey = workKey();
    const make = (reuseMs: number) =>
      bench.jobs.enqueue([newJob({ kind: 'audit', idempotencyKey, audit: auditOf({ reuseMs }) })]);
    const [failed] = await make(HOUR_MS);
    await settle(await claimOne(), { outcome: 'failed', error: 'x' });
    const [done] = await make(HOUR_MS);
    expect(done?.created).toBe(true);
    expect(done?.auditId).not.toBe(failed?.auditId);
    await settle(await claimOne());
    expect(await make(HOUR_MS)).toEqual([{ ...done, created: false }]);
    expect((await make(0))[0]?.created).toBe(true);
  });

  test('an audit job without its audit row, or another job with one, is refused and nothing is created', async () => {
    await expect(bench.jobs.enqueue([newJob(), newJob({ kind: 'audit' })])).rejects.toThrow();
    await expect(bench.jobs.enqueue([newJob({ audit: auditOf() })])).rejects.toThrow();
    expect(await bench.jobs.counts(tenantId)).toEqual({ queued: 0, running: 0 });
  });
}

function claimContract(): void {
  test('claims ready jobs by priority, then by age, each once', async () => {
    const low = await enqueue({ priority: 1 });
    const [a, b] = [await enqueue(), await enqueue()];
    await enqueue({ delayMs: HOUR_MS });
    expect((await claim(10)).map(({ jobId }) => jobId)).toEqual([a, b, low]);
    expect(await claim(10)).toEqual([]);
  });

  test('S6: a delayed job is not claimed early, and waiting breaks no timestamp', async () => {
    const jobId = await enqueue();
    const held = await claimOne();
    await settle(held, { outcome: 'again', delayMs: HOUR_MS, error: 'later' });
    expect(await claim(10)).toEqual([]);
    const job = await getJob(jobId);
    expect(job).toMatchObject({ status: 'queued', attempt: 1, lastError: 'later' });
    expect(job.runAt).toBeGreaterThan(job.queuedAt + HOUR_MS / 2);
  });

  test('returns what the holder needs and marks the row', async () => {
    const jobId = await enqueue();
    const held = await claimOne({ workerId: 'host-7' });
    expect(held).toMatchObject({ jobId, tenantId, kind: 'hello', attempt: 1, maxAttempts: 3, leaseToken: 1 });
    expect(held.payload).toEqual({ url: 'https://example.com/' });
    const job = await getJob(jobId);
    expect(job).toMatchObject({ status: 'running', lockedBy: 'host-7' });
    expect(job.startedAt).not.toBeNull();
    expect(job.lockedUntil).toBeGreaterThan(job.startedAt ?? 0);
  });

  test('claims only the requested kinds', async () => {
    await enqueue();
    const compare = await enqueue({ kind: 'compare' });
    const { jobs } = await bench.jobs.claim({
      workerId: 'w',
      kinds: ['compare'],
      limit: 10,
      leaseMs: LEASE_MS,
      runningMax: 100,
      after: null,
    });
    expect(jobs.map(({ jobId }) => jobId)).toEqual([compare]);
  });

  test('concurrent claims never share a job', async () => {
    await bench.jobs.enqueue(Array.from({ length: 200 }, () => newJob()));
    const batches = await Promise.all(Array.from({ length: 8 }, () => claim(25)));
    const ids = batches.flat().map(({ jobId }) => jobId);
    expect(new Set(ids).size).toBe(ids.length);
    const rest: string[] = [];
    for (let jobs = await claim(50); jobs.length > 0; jobs = await claim(50)) {
      rest.push(...jobs.map(({ jobId }) => jobId));
    }
    expect(new Set([...ids, ...rest]).size).toBe(200);
  });

  test('the lease token grows with every claim, whatever the attempt number', async () => {
    const jobId = await enqueue();
    await settle(await claimOne(), { outcome: 'release' });
    const second = await claimOne();
    expect(second).toMatchObject({ jobId, leaseToken: 2, attempt: 1 });
    await settle(second, { outcome: 'failed', error: 'x' });
    await bench.jobs.retry(tenantId, jobId);
    expect(await claimOne()).toMatchObject({ leaseToken: 3, attempt: 1 });
  });
}

/** Checks the shares only while every tenant still has jobs. */
function expectEqualShares(shares: readonly number[]): void {
  const total = shares.reduce((sum, n) => sum + n, 0);
  if (total > 90) return;
  for (const share of shares) expect(Math.abs(share - total / 10), `${total}`).toBeLessThanOrEqual(1);
}

/**
 * Opens a store without the rows of other tests, so that neither those rows nor the ones of this test get in the way.
 */
async function useOwnStore(open: () => Promise<JobStoreBench>): Promise<void> {
  const [shared, own] = [bench, await open()];
  onTestFinished(async () => {
    useBench(shared);
    await own.stop();
  });
  useBench(own);
}

function overviewContract(open: () => Promise<JobStoreBench>): void {
  test('an overview counts all tenants and workers, and how long the oldest ready job has waited', async () => {
    await useOwnStore(open);
    const overview = () => bench.jobs.overview();
    expect(await overview()).toEqual({ queued: 0, running: 0, oldestQueuedMs: null, workers: [] });
    const [one, two] = [await newTenant(), await newTenant()];
    await enqueue({ tenantId: one, delayMs: HOUR_MS });
    expect(await overview()).toEqual({ queued: 1, running: 0, oldestQueuedMs: null, workers: [] });
    await enqueue({ tenantId: two, delayMs: -HOUR_MS });
    await enqueue({ tenantId: two });
    const { oldestQueuedMs, ...counts } = await overview();
    expect(counts).toEqual({ queued: 3, running: 0, workers: [] });
    expect(oldestQueuedMs).toBeGreaterThanOrEqual(HOUR_MS);
    expect(oldestQueuedMs).toBeLessThan(2 * HOUR_MS);
    const [late] = await claim(1, { workerId: 'b', leaseMs: 1_000 });
    await claim(1, { workerId: 'b', leaseMs: HOUR_MS });
    await enqueue({ tenantId: one });
    await claim(1, { workerId: 'a', leaseMs: HOUR_MS });
    const { workers, ...rest } = await overview();
    expect(rest).toEqual({ queued: 1, running: 3, oldestQueuedMs: null });
    expect(workers.map(({ workerId, jobs }) => [workerId, jobs])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    const [, b] = workers;
    const first = await bench.jobs.get(two, late?.jobId ?? '');
    expect(b?.oldestStartedAt).toBe(first?.startedAt);
    expect(b?.leaseUntil).toBeGreaterThan((first?.lockedUntil ?? 0) + HOUR_MS / 2);
    // A retried job counts from the time at which it may run.
    if (late) await settle(late, { outcome: 'again', delayMs: 0, error: 'x' });
    const { oldestQueuedMs: again } = await overview();
    expect(again).toBeGreaterThanOrEqual(0);
    expect(again).toBeLessThan(HOUR_MS);
  });
}

function fairnessContract(open: () => Promise<JobStoreBench>): void {
  test('with one tenant of many jobs and nine of few, every prefix is within one job of equal shares', async () => {
    await useOwnStore(open);
    const many = await newTenant();
    const few = await Promise.all(Array.from({ length: 9 }, () => newTenant()));
    for (let at = 0; at < 20_000; at += 5_000) {
      await bench.jobs.enqueue(Array.from({ length: 5_000 }, () => newJob({ tenantId: many })));
    }
    for (const each of few) {
      await bench.jobs.enqueue(Array.from({ length: 10 }, () => newJob({ tenantId: each })));
    }
    const served = new Map([many, ...few].map((each) => [each, 0]));
    let after: string | null = null;
    for (const limit of [1, 1, 1, 7, 13, 20, 20, 20, 20]) {
      const jobs: readonly ClaimedJob[] = await claim(limit, { after });
      after = jobs.at(-1)?.tenantId ?? after;
      for (const job of jobs) {
        served.set(job.tenantId, (served.get(job.tenantId) ?? 0) + 1);
        expectEqualShares([...served.values()]);
      }
    }
    expect(few.map((each) => served.get(each) ?? 0).every((n) => n >= 9)).toBe(true);
  }, 60_000);

  test('the tenant with the fewest running jobs comes first', async () => {
    const other = await newTenant();
    await bench.jobs.enqueue(Array.from({ length: 6 }, () => newJob()));
    expect(await claim(4)).toHaveLength(4);
    await bench.jobs.enqueue(Array.from({ length: 6 }, () => newJob({ tenantId: other })));
    for (let n = 0; n < 4; n++) expect((await claimOne()).tenantId).toBe(other);
  });

  test('a claim reports capped: false when no quota holds a job back', async () => {
    expect(await claimWhole(10)).toEqual({ jobs: [], capped: false, suspects: false });
    await enqueue();
    expect(await claimWhole(10)).toMatchObject({ jobs: [{ tenantId }], capped: false });
    expect(await claimWhole(10)).toEqual({ jobs: [], capped: false, suspects: false });
  });

  test('a tenant has no more running jobs than its quota', async () => {
    const capped = await newTenant({ jobsRunning: 2 });
    await bench.jobs.enqueue(Array.from({ length: 5 }, () => newJob({ tenantId: capped })));
    const held = await claim(10);
    expect(held).toHaveLength(2);
    expect(await claimWhole(10)).toEqual({ jobs: [], capped: true, suspects: false });
    const [first] = held;
    if (first) await settle(first);
    expect(await claim(10)).toHaveLength(1);
  });

  test('a worker claims for a tenant at most its share, and leaves the rest to others', async () => {
    await useOwnStore(open);
    const [a, b] = [await newTenant(), await newTenant()];
    await bench.jobs.enqueue(Array.from({ length: 20 }, () => newJob({ tenantId: a })));
    const share = { held: { [a]: 1 }, heldMax: 4, guests: 0 };
    expect(await claimWhole(10, { share })).toMatchObject({ capped: true, jobs: { length: 3 } });
    const full = { ...share, held: { [a]: 4 } };
    expect(await claimWhole(1, { share: full })).toMatchObject({ capped: true, jobs: [] });
    await bench.jobs.enqueue(Array.from({ length: 2 }, () => newJob({ tenantId: b })));
    expect(await claim(1, { share: full })).toMatchObject([{ tenantId: b }]);
  });

  test('a worker without room claims one job of each tenant of which it holds none, up to its guests', async () => {
    await useOwnStore(open);
    const [a, b, c, d] = [await newTenant(), await newTenant(), await newTenant(), await newTenant()];
    for (const each of [a, b, c, d])
      await bench.jobs.enqueue(Array.from({ length: 3 }, () => newJob({ tenantId: each })));
    const share = { held: { [a]: 1 }, heldMax: 1, guests: 2 };
    const claimed = await claimWhole(0, { share });
    expect(claimed).toMatchObject({ capped: true, jobs: { length: 2 } });
    const tenants = claimed.jobs.map((job) => job.tenantId);
    expect([new Set(tenants).size, tenants.includes(a)]).toEqual([2, false]);
    const held = Object.fromEntries([a, ...tenants].map((tenant) => [tenant, 1]));
    const rest = await claim(0, { share: { held, heldMax: 1, guests: 9 } });
    expect(rest).toHaveLength(1);
    expect([a, ...tenants]).not.toContain(rest[0]?.tenantId);
    const all = Object.fromEntries([a, b, c, d].map((tenant) => [tenant, 1]));
    expect(await claim(0, { share: { held: all, heldMax: 1, guests: 9 } })).toEqual([]);
    // A claim with room takes its jobs and the guests.
    const some = await claim(1, { share: { held: { [a]: 1, [b]: 1 }, heldMax: 5, guests: 1 } });
    expect(some).toHaveLength(2);
  });

  test('the time that a job ran is added up over its attempts, and starts again with a retry', async () => {
    const jobId = await enqueue({ priority: -9 });
    const first = await claimOne();
    expect(first.ranMs).toBe(0);
    await settle(first, { outcome: 'release', ranMs: 1_500.4 });
    const second = await claimOne();
    expect(second.ranMs).toBe(1_500);
    await settle(second, { outcome: 'again', error: 'x', delayMs: 0, ranMs: 500 });
    const third = await claimOne();
    expect(third.ranMs).toBe(2_000);
    await settle(third, { outcome: 'failed', error: 'x', ranMs: 1 });
    await bench.jobs.retry(tenantId, jobId);
    expect((await claimOne()).ranMs).toBe(0);
  });

  test('small claims rotate through the tenants', async () => {
    const tenants = [tenantId, await newTenant(), await newTenant()];
    for (const each of tenants)
      await bench.jobs.enqueue([newJob({ tenantId: each }), newJob({ tenantId: each })]);
    const served: string[] = [];
    for (let n = 0; n < 6; n++) {
      const [job] = await claim(1, { after: served.at(-1) ?? null });
      served.push(job?.tenantId ?? '');
      if (job) await settle(job);
    }
    expect(new Set(served.slice(0, 3)).size).toBe(3);
    expect(new Set(served.slice(3)).size).toBe(3);
  });
}
