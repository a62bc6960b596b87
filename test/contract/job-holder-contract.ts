/** What every engine guarantees about leases: the holder's writes, expiry, and what a user can change and see. */
import { expect, test } from 'vitest';
import { backoffCeilingMs } from '../../src/jobs/index.js';
import {
  bench,
  claim,
  claimOne,
  claimWhole,
  enqueue,
  event,
  eventsOf,
  getJob,
  HOUR_MS,
  LEASE_MS,
  newJob,
  newTenant,
  reap,
  settle,
  tenantId,
  workKey,
} from '../support/job-bench.js';

export function holderContract(): void {
  test('S4: a stale holder cannot renew, emit, record or settle', async () => {
    const jobId = await enqueue();
    const stale = await claimOne({ leaseMs: 0 });
    expect(await reap()).toHaveLength(1);
    const holder = await claimOne();
    expect(holder).toMatchObject({ jobId, leaseToken: stale.leaseToken + 1 });

    const { leaseToken } = stale;
    expect(await bench.jobs.renew([{ jobId, leaseToken, events: [event(7)] }], LEASE_MS)).toEqual(['lost']);
    const step = { jobId, leaseToken, name: 'crawl', result: '1', leaseMs: LEASE_MS };
    expect(await bench.jobs.recordStep(step)).toBe(false);
    for (const outcome of ['done', 'failed', 'again', 'release', 'canceled'] as const) {
      expect(await settle(stale, { outcome, events: [event(8)] })).toBe(false);
    }
    expect(await getJob(jobId)).toMatchObject({ status: 'running', leaseToken: holder.leaseToken });
    expect(await bench.jobs.steps(jobId)).toEqual([]);
    expect((await eventsOf(jobId)).map(({ message }) => message)).not.toContain('m7');
    expect(await settle(holder)).toBe(true);
  });

  test('S4: with a stale and a current lease in one call, only the current one writes', async () => {
    const jobId = await enqueue();
    const stale = await claimOne({ leaseMs: 0 });
    await reap();
    const holder = await claimOne();
    const emitted = (seq: number, message: string) => [event(seq, { message })];
    const renewals = [
      { ...stale, events: emitted(11, 'stale') },
      { ...holder, events: emitted(12, 'held') },
    ];
    expect(await bench.jobs.renew(renewals, LEASE_MS)).toEqual(['lost', 'held']);
    const end = { outcome: 'done', hadSteps: false } as const;
    const settlements = [
      { ...stale, ...end, events: emitted(13, 'stale') },
      { ...holder, ...end, events: emitted(14, 'held') },
    ];
    expect(await bench.jobs.settle(settlements)).toEqual([false, true]);
    const messages = (await eventsOf(jobId)).map(({ message }) => message);
    expect(messages.filter((message) => message === 'held' || message === 'stale')).toEqual(['held', 'held']);
  });

  test('a renewal extends the lease, stores events in order and returns a cancellation', async () => {
    const jobId = await enqueue();
    const { leaseToken } = await claimOne({ leaseMs: 1_000 });
    const before = await getJob(jobId);
    const events = [event(1, { progressPct: 10, data: { page: 1 } }), event(2, { type: 'warning' })];
    expect(await bench.jobs.renew([{ jobId, leaseToken, events }], LEASE_MS)).toEqual(['held']);
    const after = await getJob(jobId);
    expect(after.lockedUntil).toBeGreaterThan((before.lockedUntil ?? 0) + LEASE_MS / 2);
    expect(after).toMatchObject({ eventSeq: 2, progressPct: 10 });
    expect(await eventsOf(jobId)).toMatchObject([
      { seq: 1, type: 'metric', message: 'm1', data: { page: 1 }, progressPct: 10 },
      { seq: 2, type: 'warning', message: 'm2', data: null, progressPct: null },
    ]);
    await bench.jobs.cancel(tenantId, jobId);
    expect(await bench.jobs.renew([{ jobId, leaseToken, events: [] }], LEASE_MS)).toEqual(['cancel']);
  });

  test('many jobs are renewed at once, each by its own lease', async () => {
    await bench.jobs.enqueue(Array.from({ length: 3 }, () => newJob()));
    const held = await claim(3);
    const [, second] = held;
    if (second) await settle(second);
    const renewals = held.map(({ jobId, leaseToken }) => ({ jobId, leaseToken, events: [event(5)] }));
    expect(await bench.jobs.renew(renewals, LEASE_MS)).toEqual(['held', 'lost', 'held']);
    expect(await bench.jobs.renew([], LEASE_MS)).toEqual([]);
  });

  test('a repeated renewal or settlement, whose response was lost, is accepted and writes nothing twice', async () => {
    const jobId = await enqueue();
    const held = await claimOne();
    const renewal = { jobId, leaseToken: held.leaseToken, events: [event(1), event(2)] };
    for (let n = 0; n < 2; n++) expect(await bench.jobs.renew([renewal], LEASE_MS)).toEqual(['held']);
    for (let n = 0; n < 2; n++) expect(await settle(held, { events: [event(3)] })).toBe(true);
    expect((await eventsOf(jobId)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test.for(['again', 'release'] as const)(
    'a repeated `%s` of a job that was canceled instead is accepted',
    async (outcome) => {
      const jobId = await enqueue();
      const held = await claimOne();
      await bench.jobs.cancel(tenantId, jobId);
      for (let n = 0; n < 2; n++) expect(await settle(held, { outcome, events: [event(1)] })).toBe(true);
      expect(await getJob(jobId)).toMatchObject({ status: 'canceled' });
      expect(await eventsOf(jobId)).toHaveLength(1);
      expect(await settle(held, { outcome: 'done' })).toBe(false);
    },
  );

  test('steps are kept for the next attempt and removed when the job is done', async () => {
    const jobId = await enqueue();
    const held = await claimOne();
    const { leaseToken } = held;
    const step = { jobId, leaseToken, leaseMs: LEASE_MS };
    expect(await bench.jobs.recordStep({ ...step, name: 'a', result: '{"x":"\\u0000"}' })).toBe(true);
    expect(await bench.jobs.recordStep({ ...step, name: 'a', result: '{"x":2}' })).toBe(true);
    await settle(held, { outcome: 'again', delayMs: 0, error: 'x' });
    expect(await bench.jobs.steps(jobId)).toEqual([{ name: 'a', result: '{"x":"\\u0000"}' }]);
    await settle(await claimOne());
    expect(await bench.jobs.steps(jobId)).toEqual([]);
  });

  test('arbitrary foreign text can be stored', async () => {
    const jobId = await enqueue();
    const held = await claimOne();
    const odd = 'a\u0000b \ud800 𝒳 "\\u0000" \u2028';
    const emitted = event(1, { message: odd, data: { odd, nested: [odd], 'k\u0000': 1 } });
    expect(await settle(held, { outcome: 'failed', error: odd, events: [emitted] })).toBe(true);
    expect((await getJob(jobId)).lastError).toContain('𝒳');
    expect(JSON.stringify((await eventsOf(jobId))[0]?.data)).toContain('𝒳');
  });

  test('a done job has no later event, no lease and an end time', async () => {
    const jobId = await enqueue();
    const held = await claimOne();
    await settle(held, { events: [event(1, { type: 'status_changed', progressPct: 100 })] });
    const job = await getJob(jobId);
    expect(job).toMatchObject({ status: 'done', lockedBy: null, lockedUntil: null, progressPct: 100 });
    expect(job.finishedAt).toBeGreaterThanOrEqual(job.startedAt ?? Number.POSITIVE_INFINITY);
  });

  test('the next attempt gets the progress of the earlier one', async () => {
    await enqueue();
    const held = await claimOne();
    await settle(held, { outcome: 'again', error: 'x', events: [event(4, { progressPct: 60 }), event(5)] });
    expect(await claimOne()).toMatchObject({ progressPct: 60, eventSeq: 5 });
  });
}

export function reapContract(): void {
  test('S3: an expired job is requeued until its attempts are used up, and then fails as poison', async () => {
    const jobId = await enqueue({ maxAttempts: 2 });
    await claimOne({ leaseMs: 0 });
    expect(await reap()).toMatchObject([{ jobId, status: 'queued', leaseToken: 1 }]);
    expect(await getJob(jobId)).toMatchObject({ status: 'queued', attempt: 1, lockedBy: null });
    await claimOne({ leaseMs: 0 });
    expect(await reap()).toMatchObject([{ jobId, status: 'failed', leaseToken: 2 }]);
    const job = await getJob(jobId);
    expect(job.lastError).toContain('no attempts are left');
    expect(job.finishedAt).not.toBeNull();
    expect(await claim()).toEqual([]);
    expect((await eventsOf(jobId)).map(({ seq, message }) => [seq, message])).toEqual([
      [1, 'queued'],
      [2, 'failed'],
    ]);
  });

  test('a job on its last attempt that a neighbour may have killed is tried once more, alone', async () => {
    const jobId = await enqueue({ maxAttempts: 1 });
    await claimOne({ leaseMs: 0 });
    expect(await reap()).toMatchObject([{ jobId, status: 'queued' }]);
    expect(await getJob(jobId)).toMatchObject({ status: 'queued', attempt: 0 });
    expect(await claimWhole(10, { which: 'shared' })).toMatchObject({ jobs: [], suspects: true });
    const alone = await claimWhole(10, { which: 'alone', leaseMs: 0 });
    expect(alone.jobs).toMatchObject([{ jobId, attempt: 1 }]);
    expect(await reap()).toMatchObject([{ jobId, status: 'failed' }]);
  });

  test('a claim for shared jobs skips suspects, and a claim for a suspect skips all others', async () => {
    const suspect = await enqueue({ maxAttempts: 2 });
    await claimOne({ leaseMs: 0 });
    await reap();
    const [first, second] = [await enqueue(), await enqueue()];
    expect((await claimWhole(10, { which: 'alone' })).jobs.map(({ jobId }) => jobId)).toEqual([suspect]);
    const shared = await claimWhole(10, { which: 'shared' });
    expect(shared.jobs.map(({ jobId }) => jobId).sort()).toEqual([first, second].sort());
    expect(shared.suspects).toBe(false);
  });

  test('the store lists the jobs a worker holds, for a worker whose claim got no response', async () => {
    const ids = [await enqueue(), await enqueue()];
    const workerId = `w-${crypto.randomUUID()}`;
    const claimed = await claim(2, { workerId });
    await enqueue();
    await claim(1, { workerId: 'another' });
    const held = await bench.jobs.heldBy(workerId);
    expect([...held].sort((a, b) => (a.jobId < b.jobId ? -1 : 1))).toEqual(
      [...claimed].sort((a, b) => (a.jobId < b.jobId ? -1 : 1)),
    );
    expect(held.map(({ jobId }) => jobId).sort()).toEqual(ids.sort());
  });

  test('a deadline that is too far ahead for any clock of ours is pulled back', async () => {
    const waiting = await enqueue({ delayMs: 25 * HOUR_MS });
    const soon = await enqueue({ delayMs: HOUR_MS });
    expect(await bench.jobs.pullBack()).toBe(1);
    expect((await claim(10)).map(({ jobId }) => jobId)).toEqual([waiting]);
    const held = await enqueue();
    await claimOne({ leaseMs: 2 * HOUR_MS });
    expect(await reap()).toEqual([]);
    expect(await bench.jobs.pullBack()).toBe(1);
    expect(await reap()).toMatchObject([{ jobId: held, status: 'queued' }]);
    await bench.jobs.cancel(tenantId, soon);
  });

  test('an expired job waits with full jitter, each by its own fraction', async () => {
    const ids = [await enqueue(), await enqueue()];
    await claim(2, { leaseMs: 0 });
    await reap(2, [0.5, 0.999]);
    const jobs = await Promise.all(ids.map(getJob));
    const ceiling = backoffCeilingMs(1, { firstMs: 1000, maxMs: 300_000 });
    const waits = jobs.map(({ runAt, queuedAt }) => runAt - queuedAt).sort((a, b) => a - b);
    expect(waits[0]).toBeGreaterThanOrEqual(ceiling * 0.49);
    expect(waits[1]).toBeGreaterThanOrEqual(ceiling * 0.98);
    // Otherwise they would become ready in the middle of another test.
    for (const jobId of ids) await bench.jobs.cancel(tenantId, jobId);
  });

  test('a lease that has not expired is left alone, and the limit applies', async () => {
    await enqueue();
    await claimOne();
    expect(await reap()).toEqual([]);
    await bench.jobs.enqueue(Array.from({ length: 5 }, () => newJob()));
    await claim(5, { leaseMs: 0 });
    expect(await reap(3)).toHaveLength(3);
    expect(await reap(3)).toHaveLength(2);
  });

  test('an expired job whose cancellation was requested ends as canceled', async () => {
    const jobId = await enqueue();
    await claimOne({ leaseMs: 0 });
    await bench.jobs.cancel(tenantId, jobId);
    expect(await reap()).toMatchObject([{ jobId, status: 'canceled' }]);
  });

  test('concurrent reapers return each job once', async () => {
    await bench.jobs.enqueue(Array.from({ length: 60 }, () => newJob()));
    await claim(60, { leaseMs: 0 });
    const reaped = (await Promise.all(Array.from({ length: 6 }, () => reap(100)))).flat();
    expect(reaped).toHaveLength(60);
  });
}

export function changeContract(): void {
  test('a queued job is canceled at once and leaves an event', async () => {
    const jobId = await enqueue();
    expect(await bench.jobs.cancel(tenantId, jobId)).toMatchObject({
      kind: 'changed',
      job: { status: 'canceled' },
    });
    expect(await bench.jobs.cancel(tenantId, jobId)).toMatchObject({ kind: 'unchanged' });
    expect(await claim()).toEqual([]);
    expect(await eventsOf(jobId)).toMatchObject([{ type: 'status_changed', message: 'canceled' }]);
  });

  test('a running job continues until its holder releases it, and is not requeued', async () => {
    const jobId = await enqueue();
    const held = await claimOne();
    expect(await bench.jobs.cancel(tenantId, jobId)).toMatchObject({
      kind: 'changed',
      job: { status: 'running', cancelRequested: true },
    });
    expect(await settle(held, { outcome: 'again', error: 'x' })).toBe(true);
    expect(await getJob(jobId)).toMatchObject({ status: 'canceled' });
  });

  test('a retry starts over and keeps the token', async () => {
    const jobId = await enqueue();
    await settle(await claimOne(), { outcome: 'failed', error: 'x', events: [event(1)] });
    expect(await bench.jobs.retry(tenantId, jobId)).toMatchObject({
      kind: 'changed',
      job: { status: 'queued', attempt: 0, leaseToken: 1, finishedAt: null, cancelRequested: false },
    });
    expect((await eventsOf(jobId)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('keyed work can be retried after it has failed and after a later job of the key has ended', async () => {
    const idempotencyKey = workKey();
    const first = await enqueue({ idempotencyKey });
    await settle(await claimOne(), { outcome: 'failed', error: 'x' });
    const second = await enqueue({ idempotencyKey });
    await settle(await claimOne(), { outcome: 'done' });
    expect(await bench.jobs.retry(tenantId, first)).toMatchObject({
      kind: 'changed',
      job: { status: 'queued' },
    });
    expect(await bench.jobs.retry(tenantId, second)).toMatchObject({ kind: 'refused' });
  });

  test('a retry is refused while another job does the same work', async () => {
    const idempotencyKey = workKey();
    const first = await enqueue({ idempotencyKey });
    await bench.jobs.cancel(tenantId, first);
    const second = await enqueue({ idempotencyKey });
    expect(await bench.jobs.retry(tenantId, first)).toEqual({ kind: 'twin', jobId: second });
  });

  test('another tenant can change or see nothing', async () => {
    const jobId = await enqueue();
    const other = await newTenant();
    expect(await bench.jobs.get(other, jobId)).toBeUndefined();
    expect(await bench.jobs.cancel(other, jobId)).toEqual({ kind: 'missing' });
    expect(await bench.jobs.retry(other, jobId)).toEqual({ kind: 'missing' });
    expect(await bench.jobs.events(other, jobId, { after: 0, limit: 10 })).toEqual([]);
    expect((await getJob(jobId)).status).toBe('queued');
  });
}

export function readContract(): void {
  test('lists jobs newest first, page by page, by status and kind', async () => {
    const made = await bench.jobs.enqueue(Array.from({ length: 5 }, () => newJob()));
    await enqueue({ kind: 'compare' });
    const seen: string[] = [];
    let after: { queuedAt: number; jobId: string } | undefined;
    for (;;) {
      const page = await bench.jobs.list(tenantId, { kinds: ['hello'], limit: 2, ...(after && { after }) });
      seen.push(...page.map(({ jobId }) => jobId));
      after = page.at(-1);
      if (page.length < 2) break;
    }
    expect(seen).toEqual(
      made
        .map(({ jobId }) => jobId)
        .sort()
        .reverse(),
    );
    await claimOne();
    const running = await bench.jobs.list(tenantId, { kinds: ['hello'], status: 'running', limit: 10 });
    expect(running).toHaveLength(1);
  });

  test('a glance shows the newest and the running jobs, and whether they changed', async () => {
    const first = await enqueue({ kind: 'compare' });
    const { leaseToken } = await claimOne();
    const [second, third] = [await enqueue(), await enqueue()];
    const glance = async (limit: number) =>
      new Map((await bench.jobs.glance(tenantId, limit)).map((job) => [job.jobId, job]));
    const seen = await glance(1);
    expect(new Set(seen.keys())).toEqual(new Set([first, third]));
    expect(seen.get(first)).toMatchObject({ kind: 'compare', status: 'running', auditId: null });
    await bench.jobs.renew([{ jobId: first, leaseToken, events: [event(1)] }], LEASE_MS);
    expect((await glance(1)).get(first)?.eventSeq).toBeGreaterThan(seen.get(first)?.eventSeq ?? 0);
    expect(new Set((await glance(10)).keys())).toEqual(new Set([first, second, third]));
    expect(await bench.jobs.glance('00000000-0000-0000-0000-000000000001', 10)).toEqual([]);
  });

  test('events are returned after a sequence number, up to the limit', async () => {
    const jobId = await enqueue();
    const { leaseToken } = await claimOne();
    await bench.jobs.renew([{ jobId, leaseToken, events: [1, 2, 3, 4].map((seq) => event(seq)) }], LEASE_MS);
    const page = await bench.jobs.events(tenantId, jobId, { after: 1, limit: 2 });
    expect(page.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  test('pruning removes jobs that ended long ago, with everything that belongs to them', async () => {
    const jobId = await enqueue();
    await settle(await claimOne(), { events: [event(1)] });
    await enqueue();
    expect(await bench.jobs.prune({ olderThanMs: HOUR_MS, limit: 1000 })).toBe(0);
    let pruned = 0;
    for (let n = -1; n !== 0; pruned += n) n = await bench.jobs.prune({ olderThanMs: -1_000, limit: 1000 });
    expect(pruned).toBeGreaterThan(0);
    expect(await bench.jobs.get(tenantId, jobId)).toBeUndefined();
    expect(await bench.jobs.counts(tenantId)).toEqual({ queued: 1, running: 0 });
  });

  test('a job with many events is pruned a little at a time', async () => {
    const jobId = await enqueue();
    const { leaseToken } = await claimOne();
    const events = Array.from({ length: 1_100 }, (_, n) => event(n + 1));
    await bench.jobs.renew([{ jobId, leaseToken, events }], LEASE_MS);
    await settle({ jobId, leaseToken });
    const steps: number[] = [];
    for (let n = -1; n !== 0; steps.push(n)) {
      n = await bench.jobs.prune({ olderThanMs: -1_000, limit: 50 });
      expect(n).toBeLessThanOrEqual(550);
    }
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(await bench.jobs.get(tenantId, jobId)).toBeUndefined();
  });
}
