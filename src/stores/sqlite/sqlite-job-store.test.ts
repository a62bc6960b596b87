/** Tests exact times and bounds, which the contract suite on real clocks cannot. */
import { expect, test } from 'vitest';
import { event, openTimedJobs, START_MS, TENANT } from '../../../test/support/timed-jobs.js';
import { JOB_LIMITS, LEASE_EXPIRED } from '../../jobs/index.js';

const { delayMaxMs, leaseMaxMs } = JOB_LIMITS;

test('a lease expires in its last millisecond, and its job waits for its share of the backoff', () => {
  const { clock, enqueue, claim, reap, get, events, claimIds } = openTimedJobs();
  enqueue('a');
  claim();
  clock.ms += 999;
  expect(reap()).toEqual([]);
  clock.ms += 1;
  expect(reap({ fractions: [0.5] })).toEqual([
    { tenantId: TENANT, jobId: 'a', leaseToken: 1, kind: 'hello', status: 'queued' },
  ]);
  expect(get('a')).toMatchObject({
    ...{ status: 'queued', attempt: 1, runAt: clock.ms + 500, finishedAt: null, eventSeq: 1 },
    ...{ lockedUntil: null, lockedBy: null, lastError: LEASE_EXPIRED },
  });
  expect(events('a')).toMatchObject([
    {
      ...{ seq: 1, type: 'status_changed', message: 'queued', createdAt: clock.ms, progressPct: null },
      data: { status: 'queued', error: LEASE_EXPIRED },
    },
  ]);
  clock.ms += 499;
  expect(claimIds()).toEqual([]);
  clock.ms += 1;
  expect(claimIds()).toEqual(['a']);
});

test('a job that fails with its lease keeps its attempts and the time at which it could run', () => {
  const { clock, enqueue, claim, reap, get, events } = openTimedJobs();
  enqueue('a', { maxAttempts: 2 });
  for (const attempt of [1, 2]) {
    expect(claim()).toMatchObject([{ jobId: 'a', attempt }]);
    clock.ms += 1_000;
    reap();
  }
  const runAt = START_MS + 1_000;
  expect(get('a')).toMatchObject({ status: 'failed', attempt: 2, runAt, finishedAt: clock.ms });
  expect(get('a')?.lastError).toBe(`${LEASE_EXPIRED}; no attempts are left`);
  expect(events('a').map(({ data }) => data)).toEqual([
    { status: 'queued', error: LEASE_EXPIRED },
    { status: 'failed', error: `${LEASE_EXPIRED}; no attempts are left` },
  ]);
});

test('a job whose only attempt was lost gets it back', () => {
  const { clock, enqueue, claim, reap, get } = openTimedJobs();
  enqueue('a', { maxAttempts: 1 });
  claim();
  clock.ms += 1_000;
  expect(reap()).toMatchObject([{ jobId: 'a', status: 'queued' }]);
  expect(get('a')).toMatchObject({ status: 'queued', attempt: 0 });
});

test('leases that expired first are reaped first, each with its own fraction', () => {
  const { clock, enqueue, claim, reap, get } = openTimedJobs();
  for (const [jobId, leaseMs] of [
    ['a', 30],
    ['b', 10],
    ['c', 20],
  ] as const) {
    enqueue(jobId);
    claim(1, { leaseMs });
  }
  clock.ms += 30;
  expect(reap({ limit: 2, fractions: [0.25, 0.75] }).map(({ jobId }) => jobId)).toEqual(['b', 'c']);
  expect(['b', 'c'].map((jobId) => (get(jobId)?.runAt ?? 0) - clock.ms)).toEqual([250, 750]);
  expect(reap().map(({ jobId }) => jobId)).toEqual(['a']);
  expect(get('a')?.runAt).toBe(clock.ms);
});

test('a job never ends before it started, even if the clock has stepped back', () => {
  const { clock, enqueue, claim, settle, reap, jobs, get } = openTimedJobs();
  for (const jobId of ['settled', 'reaped', 'canceled']) enqueue(jobId);
  const held = claim(9, { leaseMs: -5_000 });
  clock.ms -= 2_000;
  const [first, , third] = ['settled', 'reaped', 'canceled'].map((id) =>
    held.find(({ jobId }) => jobId === id),
  );
  if (!first || !third) throw new Error('not claimed');
  settle(first, { outcome: 'failed' });
  settle(third, { outcome: 'again' });
  jobs.cancel(TENANT, 'canceled');
  jobs.cancel(TENANT, 'reaped');
  reap();
  for (const jobId of ['settled', 'reaped', 'canceled']) expect(get(jobId)?.finishedAt).toBe(START_MS);
});

test('a job ends at the current time', () => {
  const { clock, enqueue, claim, settle, reap, jobs, get } = openTimedJobs();
  for (const jobId of ['reaped', 'retried']) enqueue(jobId);
  const [, retried] = claim(9, { leaseMs: 5 });
  clock.ms += 5;
  if (retried) settle(retried, { outcome: 'again' });
  jobs.cancel(TENANT, 'reaped');
  jobs.cancel(TENANT, 'retried');
  reap();
  for (const jobId of ['reaped', 'retried']) {
    expect(get(jobId)).toMatchObject({ status: 'canceled', finishedAt: START_MS + 5 });
  }
});

test('a cancel changes only its job: queued at once, running by request, ended not at all', () => {
  const { enqueue, claim, settle, jobs, get, events } = openTimedJobs();
  for (const jobId of ['done', 'running', 'waiting']) enqueue(jobId);
  const [done] = claim(2);
  if (done) settle(done, { events: [event(4)] });
  enqueue('queued');
  expect(jobs.cancel(TENANT, 'none')).toEqual({ kind: 'missing' });
  expect(jobs.cancel(TENANT, 'done')).toEqual({ kind: 'refused', job: get('done') });
  expect(jobs.cancel(TENANT, 'running')).toEqual({ kind: 'changed', job: get('running') });
  expect(jobs.cancel(TENANT, 'queued')).toEqual({ kind: 'changed', job: get('queued') });
  expect(jobs.cancel(TENANT, 'queued')).toEqual({ kind: 'unchanged', job: get('queued') });
  expect(get('running')).toMatchObject({ status: 'running', cancelRequested: true, eventSeq: 0 });
  expect(get('queued')).toMatchObject({ status: 'canceled', cancelRequested: true, eventSeq: 1 });
  expect(get('waiting')).toMatchObject({ status: 'queued', cancelRequested: false, eventSeq: 0 });
  expect(get('done')).toMatchObject({ status: 'done', cancelRequested: false, eventSeq: 4 });
  expect(events('queued')).toMatchObject([{ seq: 1, data: { status: 'canceled' }, createdAt: START_MS }]);
});

test('a retry changes only its job: it starts over now, and its events continue', () => {
  const { clock, enqueue, claim, settle, jobs, get, events } = openTimedJobs();
  for (const jobId of ['a', 'b']) enqueue(jobId);
  for (const job of claim()) settle(job, { outcome: 'failed', error: 'x', events: [event(6)] });
  const before = get('b');
  clock.ms += 70;
  expect(jobs.retry(TENANT, 'none')).toEqual({ kind: 'missing' });
  expect(jobs.retry(TENANT, 'a')).toEqual({ kind: 'changed', job: get('a') });
  expect(get('a')).toMatchObject({
    ...{ status: 'queued', attempt: 0, runAt: clock.ms, finishedAt: null, eventSeq: 7, lastError: 'x' },
  });
  expect(events('a').map(({ seq, data }) => [seq, data])).toEqual([
    [6, null],
    [7, { status: 'queued' }],
  ]);
  expect(get('b')).toEqual(before);
  expect(jobs.retry(TENANT, 'a')).toEqual({ kind: 'refused', job: get('a') });
});

test('only an active job of the same tenant with the same shared key is a twin', () => {
  const { addTenant, enqueue, claim, settle, jobs } = openTimedJobs();
  addTenant('other');
  const [shared, own] = ['f'.repeat(64), '0'.repeat(64)];
  enqueue('a', { idempotencyKey: shared });
  enqueue('b', { idempotencyKey: own });
  for (const job of claim()) settle(job, { outcome: 'failed', error: 'x' });
  enqueue('of another tenant', { idempotencyKey: shared, tenantId: 'other' });
  enqueue('other key', { idempotencyKey: 'e'.repeat(64) });
  enqueue('b2', { idempotencyKey: own });
  enqueue('twin', { idempotencyKey: shared });
  expect(jobs.retry(TENANT, 'b').kind).toBe('changed');
  expect(jobs.retry(TENANT, 'a')).toEqual({ kind: 'twin', jobId: 'twin' });
  claim();
  expect(jobs.retry(TENANT, 'a')).toEqual({ kind: 'twin', jobId: 'twin' });
  jobs.cancel(TENANT, 'twin');
  settle({ jobId: 'twin', leaseToken: 1 }, { outcome: 'canceled' });
  expect(jobs.retry(TENANT, 'a').kind).toBe('changed');
});

const HOUR_MS = 3_600_000;

test('a start after a clock step pulls back the times that no correct clock can have set', () => {
  const { clock, database, enqueue, jobs, get } = openTimedJobs();
  const times: readonly (readonly [string, queuedAt: number, runAt: number, isPulled: boolean])[] = [
    ['queued 1 s ahead', 1_000, 1_000, false],
    ['queued 1.001 s ahead', 1_001, 1_001, true],
    ['queued ahead, ready', 1_001, 0, false],
    ['queued ahead, ready in 1 ms', 1_001, 1, true],
    ['delayed by the maximum', 0, delayMaxMs, false],
    ['delayed by more', 0, delayMaxMs + 1, true],
    ['delayed, queued 1 s ahead', 1_000, 1_500, false],
    ['delayed, queued 1.001 s ahead', 1_001, 1_500, true],
  ];
  for (const [jobId, queuedAt, runAt] of times) {
    enqueue(jobId);
    const params = [START_MS + queuedAt, START_MS + runAt, jobId];
    database.run('UPDATE audit_jobs SET queued_at = ?, run_at = ? WHERE job_id = ?', params);
  }
  expect(jobs.pullBack()).toBe(4);
  for (const [jobId, queuedAt, runAt, isPulled] of times) {
    const job = get(jobId);
    expect([jobId, job?.queuedAt, job?.runAt]).toEqual([
      jobId,
      START_MS + queuedAt,
      isPulled ? clock.ms : START_MS + runAt,
    ]);
  }
  expect(jobs.pullBack()).toBe(0);
});

test('a start after a clock step ends the leases that no correct clock can have given', () => {
  const { clock, database, enqueue, claim, jobs, get } = openTimedJobs();
  const times: readonly (readonly [string, startedAt: number, lockedUntil: number, isPulled: boolean])[] = [
    ['the longest lease', 0, leaseMaxMs, false],
    ['a longer lease', 0, leaseMaxMs + 1, true],
    ['started 1 s ahead', 1_000, 2_000, false],
    ['started ahead of the clock', 1_001, 2_000, false],
    ['started ahead, expired', 1_001, 0, false],
    ['started ahead, expires in 1 ms', 1_001, 1, false],
  ];
  for (const [jobId] of times) enqueue(jobId);
  claim();
  enqueue('queued', { delayMs: HOUR_MS });
  for (const [jobId, startedAt, lockedUntil] of times) {
    const params = [START_MS + startedAt, START_MS + lockedUntil, jobId];
    database.run('UPDATE audit_jobs SET started_at = ?, locked_until = ? WHERE job_id = ?', params);
  }
  expect(jobs.pullBack()).toBe(1);
  for (const [jobId, , lockedUntil, isPulled] of times) {
    expect([jobId, get(jobId)?.lockedUntil]).toEqual([jobId, isPulled ? clock.ms : START_MS + lockedUntil]);
  }
});

test('one call pulls back a thousand jobs of each kind: those that are furthest ahead', () => {
  const { database, enqueue, jobs, get } = openTimedJobs();
  for (const jobId of ['undelayed', 'delayed']) enqueue(jobId);
  const many = (prefix: string, queuedAt: string, runAt: string) =>
    database.run(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1001)
        INSERT INTO audit_jobs (job_id, tenant_id, kind, queued_at, run_at, idempotency_key, payload_json)
        SELECT '${prefix}' || n, tenant_id, kind, ${queuedAt}, ${runAt}, idempotency_key, '{}'
        FROM n, audit_jobs WHERE job_id = 'delayed'`,
      [],
    );
  many('u', 'queued_at + 10000 + n', 'queued_at + 10000 + n');
  many('d', 'queued_at', `queued_at + ${2 * delayMaxMs} + n`);
  expect(jobs.pullBack()).toBe(2_000);
  expect(['u1', 'd1'].map((jobId) => (get(jobId)?.runAt ?? 0) > START_MS)).toEqual([true, true]);
});

test('an overview has the wait of the longest-ready job, delayed or not, and sums all tenants', () => {
  const { clock, addTenant, enqueue, claim, jobs } = openTimedJobs();
  addTenant('other');
  expect(jobs.overview()).toEqual({ queued: 0, running: 0, oldestQueuedMs: null, workers: [] });
  enqueue('delayed', { delayMs: 100 });
  clock.ms += 99;
  expect(jobs.overview()).toMatchObject({ queued: 1, oldestQueuedMs: null });
  clock.ms += 1;
  expect(jobs.overview()).toMatchObject({ queued: 1, oldestQueuedMs: 0 });
  clock.ms += 20;
  enqueue('ready', { tenantId: 'other' });
  clock.ms += 5;
  expect(jobs.overview()).toMatchObject({ queued: 2, running: 0, oldestQueuedMs: 25 });
  expect(claim(1, { kinds: ['hello'] })).toMatchObject([{ jobId: 'delayed' }]);
  expect(jobs.overview()).toEqual({
    ...{ queued: 1, running: 1, oldestQueuedMs: 5 },
    workers: [{ workerId: 'w', jobs: 1, leaseUntil: clock.ms + 1_000, oldestStartedAt: clock.ms }],
  });
  clock.ms += 10;
  claim(1, { leaseMs: 300 });
  expect(jobs.overview().workers).toEqual([
    { workerId: 'w', jobs: 2, leaseUntil: clock.ms + 990, oldestStartedAt: clock.ms - 10 },
  ]);
  for (const delayMs of [30, 10, 20]) enqueue(`in ${delayMs}`, { delayMs });
  clock.ms += 30;
  expect(jobs.overview()).toMatchObject({ oldestQueuedMs: 20 });
  enqueue('later');
  expect(jobs.overview()).toMatchObject({ oldestQueuedMs: 20 });
});

test('an overview shows a limited number of workers, by name', () => {
  const { enqueue, claim, jobs } = openTimedJobs();
  const names = Array.from(
    { length: JOB_LIMITS.workersShown + 1 },
    (_, n) => `w${String(n).padStart(3, '0')}`,
  );
  for (const workerId of names.toReversed()) {
    enqueue(workerId);
    claim(1, { workerId, runningMax: 999 });
  }
  expect(jobs.overview().workers.map(({ workerId }) => workerId)).toEqual(names.slice(0, -1));
});

test('counts, events and steps are those of one tenant and one job', () => {
  const { addTenant, enqueue, claim, jobs } = openTimedJobs();
  addTenant('other');
  expect(jobs.counts(TENANT)).toEqual({ queued: 0, running: 0 });
  for (const jobId of ['a', 'b', 'c']) enqueue(jobId);
  for (const jobId of ['d', 'e']) enqueue(jobId, { tenantId: 'other' });
  for (const { jobId, leaseToken } of claim(2, { after: 'other' })) {
    jobs.renew([{ jobId, leaseToken, events: [event(1), event(2)] }], 1);
    jobs.recordStep({ jobId, leaseToken, leaseMs: 1, name: `step of ${jobId}`, result: '1' });
  }
  expect([jobs.counts(TENANT), jobs.counts('other')]).toEqual([
    { queued: 2, running: 1 },
    { queued: 1, running: 1 },
  ]);
  const page = { after: 1, limit: 9 };
  expect(jobs.events(TENANT, 'a', page).map(({ jobId, seq }) => [jobId, seq])).toEqual([['a', 2]]);
  expect([jobs.events('other', 'a', page), jobs.events(TENANT, 'b', page)]).toEqual([[], []]);
  expect(jobs.steps('a')).toEqual([{ name: 'step of a', result: '1' }]);
});

test('a glance has the newest and the running jobs of its tenant, by time and then id', () => {
  const { clock, addTenant, enqueue, claim, jobs } = openTimedJobs();
  addTenant('other');
  for (const jobId of ['first', 'second']) enqueue(jobId);
  claim(1);
  clock.ms += 1;
  for (const jobId of ['a', 'b']) enqueue(jobId);
  enqueue('foreign', { tenantId: 'other' });
  claim(1, { after: TENANT, kinds: ['hello'] });
  const glance = (limit: number) => jobs.glance(TENANT, limit).map(({ jobId }) => jobId);
  expect(new Set(glance(1))).toEqual(new Set(['b', 'first']));
  expect(new Set(glance(2))).toEqual(new Set(['b', 'a', 'first']));
  expect(glance(0)).toEqual([]);
});

test('a running job cannot be removed, and a missing one is reported', () => {
  const { enqueue, claim, settle, jobs, get } = openTimedJobs();
  enqueue('a');
  expect(jobs.remove(TENANT, 'a')).toBe('running');
  const [held] = claim();
  expect([jobs.remove(TENANT, 'a'), jobs.remove(TENANT, 'none')]).toEqual(['running', 'missing']);
  if (held) settle(held);
  expect([jobs.remove(TENANT, 'a'), get('a')]).toEqual(['removed', undefined]);
});
