/** What every engine keeps apart when one call touches several jobs, or when other jobs look much the same. */
import { expect, test } from 'vitest';
import type { JobKind, JobStatus } from '../../src/jobs/index.js';
import {
  auditOf,
  bench,
  claim,
  enqueue,
  event,
  eventsOf,
  getJob,
  HOUR_MS,
  LEASE_MS,
  newTenant,
  settle,
  tenantId,
} from '../support/job-bench.js';

const KINDS = ['hello', 'compare'] as const;
const STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;

/** Creates a job of each kind in each state and returns their ids by both. */
async function oneOfEach(owner: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const kind of KINDS) {
    for (const status of STATUSES) {
      // Keeps the job out of reach of the claims that follow.
      const delayMs = status === 'queued' ? HOUR_MS : 0;
      const jobId = await enqueue({ tenantId: owner, kind, delayMs });
      ids.set(`${kind} ${status}`, jobId);
      const [held] = status === 'queued' ? [] : await claim(1);
      if (held && status !== 'running' && status !== 'queued') await settle(held, { outcome: status });
    }
  }
  return ids;
}

export function crowdContract(): void {
  test('several jobs in one call keep their own events, steps, error and outcome', async () => {
    const ids = [await enqueue(), await enqueue(), await enqueue()];
    const held = await claim(3);
    const [a, b, c] = ids.map((id) => held.find(({ jobId }) => jobId === id));
    if (!a || !b || !c) throw new Error('expected three claimed jobs');
    const eventOf = (seq: number, message: string, progressPct: number | null = null) =>
      event(seq, { message, progressPct });
    await bench.jobs.renew(
      [
        { ...a, events: [eventOf(1, 'a1', 10)] },
        { ...b, events: [eventOf(2, 'b2', 20)] },
        { ...c, events: [] },
      ],
      LEASE_MS,
    );
    for (const each of [a, b, c])
      await bench.jobs.recordStep({ ...each, leaseMs: LEASE_MS, name: 's', result: `"${each.jobId}"` });
    const ends = [
      { ...a, outcome: 'done', events: [eventOf(3, 'a3')], hadSteps: true },
      {
        ...b,
        outcome: 'again',
        delayMs: HOUR_MS,
        error: 'later',
        events: [eventOf(4, 'b4')],
        hadSteps: true,
      },
      { ...c, outcome: 'failed', error: 'no', events: [], hadSteps: false },
    ] as const;
    expect(await bench.jobs.settle(ends)).toEqual([true, true, true]);
    const messages = async (id: string) => (await eventsOf(id)).map(({ message }) => message);
    expect(await Promise.all(ids.map(messages))).toEqual([['a1', 'a3'], ['b2', 'b4'], []]);
    const jobs = await Promise.all(ids.map(getJob));
    expect(
      jobs.map((job) => [job.status, job.lastError, job.eventSeq, job.progressPct, job.finishedAt === null]),
    ).toEqual([
      ['done', null, 3, 10, false],
      ['queued', 'later', 4, 20, true],
      ['failed', 'no', 0, null, false],
    ]);
    expect(jobs.map((job) => job.runAt > job.queuedAt + HOUR_MS / 2)).toEqual([false, true, false]);
    const steps = await Promise.all(ids.map((id) => bench.jobs.steps(id)));
    expect(steps.map((each) => each.map(({ result }) => result))).toEqual([
      [],
      [`"${b.jobId}"`],
      [`"${c.jobId}"`],
    ]);
    await bench.jobs.cancel(tenantId, b.jobId);
  });

  test('a list contains the jobs of its tenant, kinds and status, and a count those of its tenant', async () => {
    const other = await newTenant();
    const [own, others] = [await oneOfEach(tenantId), await oneOfEach(other)];
    const idsOf = async (owner: string, kinds: readonly JobKind[], status?: JobStatus) => {
      const found = await bench.jobs.list(owner, { kinds, limit: 100, ...(status && { status }) });
      return found.map(({ jobId }) => jobId).sort();
    };
    for (const [owner, ids] of [
      [tenantId, own],
      [other, others],
    ] as const) {
      for (const kind of KINDS) {
        for (const status of STATUSES)
          expect([status, await idsOf(owner, [kind], status)]).toEqual([
            status,
            [ids.get(`${kind} ${status}`)],
          ]);
      }
      expect(await idsOf(owner, KINDS)).toEqual([...ids.values()].sort());
      expect(await bench.jobs.counts(owner)).toEqual({ queued: 2, running: 2 });
    }
    for (const jobId of others.values()) {
      expect(await bench.jobs.remove(tenantId, jobId)).toBe('missing');
      expect(await bench.jobs.get(tenantId, jobId)).toBeUndefined();
    }
  });

  test('only an ended job can be removed, and only its own data goes with it', async () => {
    const ids = await oneOfEach(tenantId);
    const [gone = '', stays = ''] = [ids.get('hello failed'), ids.get('compare failed')];
    expect(await bench.jobs.remove(tenantId, ids.get('hello queued') ?? '')).toBe('running');
    expect(await bench.jobs.remove(tenantId, ids.get('hello running') ?? '')).toBe('running');
    expect(await bench.jobs.remove(tenantId, gone)).toBe('removed');
    expect(await bench.jobs.remove(tenantId, gone)).toBe('missing');
    expect(await bench.jobs.get(tenantId, gone)).toBeUndefined();
    expect((await getJob(stays)).status).toBe('failed');
    expect(await bench.jobs.remove(tenantId, ids.get('hello canceled') ?? '')).toBe('removed');
    expect(await bench.jobs.remove(tenantId, ids.get('hello done') ?? '')).toBe('removed');
  });

  test('pruning a job removes its own events and audit, and nothing of others', async () => {
    const ended = [await enqueue(), await enqueue({ kind: 'audit', audit: auditOf() })];
    const [running, queued] = [await enqueue(), await enqueue({ delayMs: HOUR_MS })];
    const held = await claim(3);
    for (const job of held) await bench.jobs.renew([{ ...job, events: [event(1), event(2)] }], LEASE_MS);
    for (const job of held.filter(({ jobId }) => jobId !== running)) await settle(job);
    for (let n = -1; n !== 0; ) n = await bench.jobs.prune({ olderThanMs: -HOUR_MS, limit: 1_000 });
    for (const jobId of ended) {
      expect(await bench.jobs.get(tenantId, jobId)).toBeUndefined();
      expect(await eventsOf(jobId)).toEqual([]);
    }
    expect((await getJob(running)).status).toBe('running');
    expect(await eventsOf(running)).toHaveLength(2);
    expect((await getJob(queued)).status).toBe('queued');
    await bench.jobs.cancel(tenantId, queued);
  });

  test('the jobs that ended first are pruned first, up to the limit', async () => {
    for (let n = -1; n !== 0; ) n = await bench.jobs.prune({ olderThanMs: -HOUR_MS, limit: 1_000 });
    const ids: string[] = [];
    for (const outcome of ['done', 'failed', 'canceled'] as const) {
      ids.push(await enqueue());
      for (const job of await claim(1)) await settle(job, { outcome });
    }
    for (const [index, jobId] of ids.entries()) {
      expect(await bench.jobs.prune({ olderThanMs: HOUR_MS, limit: 1 })).toBe(0);
      expect(await bench.jobs.prune({ olderThanMs: -HOUR_MS, limit: 1 })).toBe(1);
      expect(await bench.jobs.get(tenantId, jobId)).toBeUndefined();
      expect(await bench.jobs.counts(tenantId)).toEqual({ queued: 0, running: 0 });
      expect(await bench.jobs.list(tenantId, { kinds: KINDS, limit: 9 })).toHaveLength(2 - index);
    }
  });
}
