/** Tests exact times and orders, which the contract suite on real clocks cannot. */
import { expect, test } from 'vitest';
import { openTimedJobs, TENANT } from '../../../test/support/timed-jobs.js';

test('a job is ready from the millisecond at which it may run, and is leased from then on', () => {
  const { clock, enqueue, claim, claimIds, get } = openTimedJobs();
  enqueue('a', { delayMs: 100 });
  clock.ms += 99;
  expect(claimIds()).toEqual([]);
  clock.ms += 1;
  expect(claim(1, { leaseMs: 700 })).toEqual([
    {
      ...{ jobId: 'a', tenantId: TENANT, tenant: 'slug of acme', auditId: null, kind: 'hello', attempt: 1 },
      ...{ maxAttempts: 3, payload: { jobId: 'a' }, leaseToken: 1, eventSeq: 0, progressPct: null, ranMs: 0 },
    },
  ]);
  expect(get('a')).toMatchObject({
    ...{ status: 'running', startedAt: clock.ms, lockedUntil: clock.ms + 700, lockedBy: 'w' },
  });
});

test('a job keeps the time of its first start, which is never before it was queued', () => {
  const { clock, enqueue, claim, settle, get } = openTimedJobs();
  enqueue('a', { delayMs: -5_000 });
  const queuedAt = clock.ms;
  clock.ms -= 2_000;
  const [held] = claim();
  expect(get('a')?.startedAt).toBe(queuedAt);
  if (held) settle(held, { outcome: 'again', delayMs: -5_000 });
  clock.ms += 9_000;
  claim();
  expect(get('a')).toMatchObject({ status: 'running', startedAt: queuedAt, leaseToken: 2 });
});

test('jobs are claimed by priority, then by age, then by id, up to the limit', () => {
  const { clock, enqueue, claimIds } = openTimedJobs();
  enqueue('low', { priority: 1 });
  enqueue('b');
  enqueue('a');
  clock.ms += 1;
  enqueue('0 newer');
  expect(claimIds(2)).toEqual(['a', 'b']);
  expect(claimIds(0)).toEqual([]);
  expect(claimIds(9)).toEqual(['0 newer', 'low']);
});

test('only jobs of the requested kinds are claimed', () => {
  const { enqueue, claimIds } = openTimedJobs();
  enqueue('a');
  enqueue('b', { kind: 'compare' });
  expect(claimIds(9, { kinds: [] })).toEqual([]);
  expect(claimIds(9, { kinds: ['compare'] })).toEqual(['b']);
});

test('tenants take turns after the one that was served last, and then from the first', () => {
  const { addTenant, enqueue, claimIds } = openTimedJobs();
  for (const id of ['b', 'c', 'd']) addTenant(id);
  for (const tenantId of [TENANT, 'b', 'c', 'd']) {
    for (const n of [1, 2]) enqueue(`${tenantId}${n}`, { tenantId });
  }
  expect(claimIds(3, { after: 'b' })).toEqual(['c1', 'd1', 'acme1']);
  // The tenant that has nothing running comes first, whoever's turn it is.
  expect(claimIds(2, { after: 'b' })).toEqual(['b1', 'c2']);
  expect(claimIds(9, { after: null })).toEqual(['acme2', 'b2', 'd2']);
});

test('each further job of a tenant comes after the first ones of the others', () => {
  const { addTenant, enqueue, claimIds } = openTimedJobs();
  addTenant('b');
  for (const n of [1, 2, 3]) enqueue(`a${n}`);
  for (const n of [1, 2]) enqueue(`b${n}`, { tenantId: 'b' });
  expect(claimIds(4)).toEqual(['a1', 'b1', 'a2', 'b2']);
});

test('one claim considers 256 tenants', () => {
  const { addTenant, enqueue, claimIds } = openTimedJobs();
  const ids = Array.from({ length: 257 }, (_, n) => `t${String(n).padStart(3, '0')}`);
  for (const id of ids) {
    addTenant(id);
    enqueue(`job of ${id}`, { tenantId: id });
  }
  expect(claimIds(999)).toEqual(ids.slice(0, 256).map((id) => `job of ${id}`));
  expect(claimIds(999)).toEqual(['job of t256']);
});

const CAPS: readonly (readonly [string, quota: number | undefined, runningMax: number, claimed: number])[] = [
  ['the default of the worker', undefined, 2, 2],
  ['the quota of its tenant', 3, 2, 3],
  ['a quota below the default', 1, 2, 1],
];

test.each(CAPS)('a tenant has at most as many running jobs as %s', (_name, quota, runningMax, claimed) => {
  const { addTenant, enqueue, claimWhole, settle } = openTimedJobs();
  addTenant('t', quota === undefined ? {} : { jobsRunning: quota });
  addTenant('u', { jobsRunning: 9 });
  for (let n = 0; n < 5; n++) enqueue(`j${n}`, { tenantId: 't' });
  const claim = (limit: number) => {
    const { jobs, capped } = claimWhole(limit, { runningMax });
    return [jobs.length, capped];
  };
  expect(claim(1)).toEqual([1, false]);
  expect(claim(9)).toEqual([claimed - 1, claimed < 9]);
  expect(claim(9)).toEqual([0, true]);
  settle({ jobId: 'j0', leaseToken: 1 });
  expect(claim(1)).toEqual([1, false]);
  expect(claim(1)).toEqual([0, true]);
  enqueue('other', { tenantId: 'u' });
  expect(claim(1)).toEqual([1, true]);
});

test('a tenant at its limit is not reported as capped if it has nothing ready', () => {
  const { addTenant, enqueue, claimWhole } = openTimedJobs();
  addTenant('t', { jobsRunning: 1 });
  enqueue('a', { tenantId: 't' });
  expect(claimWhole()).toMatchObject({ jobs: [{ jobId: 'a' }], capped: true });
  expect(claimWhole()).toEqual({ jobs: [], capped: false, suspects: false });
  enqueue('b', { tenantId: 't', delayMs: 1 });
  expect(claimWhole()).toEqual({ jobs: [], capped: false, suspects: false });
});

/** Two jobs on their last attempt whose worker died, the second ready 5 ms before the first, and one other job. */
function withSuspects() {
  const opened = openTimedJobs();
  const { clock, enqueue, claim, reap } = opened;
  for (const jobId of ['s1', 's2']) enqueue(jobId, { maxAttempts: 2 });
  claim(2, { leaseMs: 0 });
  reap({ fractions: [0.01, 0.005] });
  enqueue('plain');
  enqueue('retried', { maxAttempts: 1 });
  clock.ms += 5;
  return opened;
}

test('a suspect is claimed alone, the one that is ready longest first', () => {
  const { clock, claimWhole } = withSuspects();
  expect(claimWhole(9, { which: 'alone', kinds: ['compare'] }).jobs).toEqual([]);
  clock.ms -= 1;
  expect(claimWhole(9, { which: 'alone' }).jobs).toEqual([]);
  clock.ms += 10;
  for (const jobId of ['s2', 's1']) {
    expect(claimWhole(9, { which: 'alone' })).toMatchObject({
      ...{ jobs: [{ jobId, attempt: 2 }], capped: false, suspects: false },
    });
  }
  expect(claimWhole(9, { which: 'alone' }).jobs).toEqual([]);
});

test('a shared claim skips suspects and reports those that are ready', () => {
  const { clock, claimWhole } = withSuspects();
  const ids = ({ jobs, suspects }: ReturnType<typeof claimWhole>) => [
    jobs.map(({ jobId }) => jobId),
    suspects,
  ];
  clock.ms -= 1;
  expect(ids(claimWhole(1, { which: 'shared' }))).toEqual([['plain'], false]);
  clock.ms += 1;
  expect(ids(claimWhole(9, { which: 'shared', kinds: ['compare'] }))).toEqual([[], false]);
  expect(ids(claimWhole(9, { which: 'shared' }))).toEqual([['retried'], true]);
  clock.ms += 5;
  expect(ids(claimWhole(9))).toEqual([['s1', 's2'], false]);
});

test('a job is no suspect while it has another attempt, or if it failed for another reason', () => {
  const { clock, enqueue, claim, settle, reap, claimWhole } = openTimedJobs();
  enqueue('more attempts', { maxAttempts: 3 });
  enqueue('other error', { maxAttempts: 2 });
  const [, other] = claim(2, { leaseMs: 0 });
  if (other) settle(other, { outcome: 'again', error: 'x' });
  reap();
  clock.ms += 10;
  const { jobs, suspects } = claimWhole(9, { which: 'shared' });
  expect([jobs.length, suspects]).toEqual([2, false]);
});

test('a worker holds the running jobs that it claimed', () => {
  const { enqueue, claim, settle, jobs } = openTimedJobs();
  for (const jobId of ['a', 'b', 'c', 'd']) enqueue(jobId);
  const [a, b] = claim(2, { workerId: 'me' });
  claim(1, { workerId: 'other' });
  if (b) settle(b);
  expect(jobs.heldBy('me')).toEqual([a]);
  expect(jobs.heldBy('nobody')).toEqual([]);
});
