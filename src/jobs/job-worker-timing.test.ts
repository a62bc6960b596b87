import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type InlineRecords, openInlineRecords } from '../../test/support/inline-records.js';
import { keepingLog, type LogLine } from '../../test/support/keeping-log.js';
import { createRedactor } from '../net/index.js';
import { JobWakes } from './job-events.js';
import type { JobHandler } from './job-handler.js';
import { JOB_LIMITS } from './job-limits.js';
import type { JobHint, JobStore } from './job-store.js';
import { JobWorker, type WorkerDeps } from './job-worker.js';

const POLL_MS = 1_000;
/** So long that no poll happens during a test. */
const NEVER_MS = 10 * 3_600_000;
const LEASE_MS = 600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Lets everything run that does not wait for a timer. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

interface Choices extends Partial<WorkerDeps['options']> {
  readonly deps?: Partial<WorkerDeps>;
  /** Replaces methods of the store. */
  readonly store?: (jobs: JobStore) => Partial<JobStore>;
}

async function open(records: InlineRecords, hello: JobHandler, { deps, store, ...options }: Choices = {}) {
  const lines: LogLine[] = [];
  const worker = new JobWorker({
    store: Object.assign(Object.create(records.jobs), store?.(records.jobs)) as JobStore,
    handlers: { hello },
    wakes: new JobWakes(),
    log: keepingLog(lines),
    redactor: createRedactor(),
    clock: Date.now,
    random: () => 0.5,
    options: {
      workerId: 'w',
      leaseMs: LEASE_MS,
      durationMs: JOB_LIMITS.durationMs,
      concurrency: 3,
      pollMs: NEVER_MS,
      ...options,
    },
    ...deps,
  });
  onTestFinished(async () => {
    const stopped = worker.stop(0);
    await pass(10_000);
    await stopped;
  });
  return { worker, lines };
}

const statusesOf = async ({ jobs, tenantId }: InlineRecords, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await jobs.get(tenantId, id))?.status));

/** A handler that records the jobs it started and returns when the test lets it. */
function heldHandler() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const reasons: unknown[] = [];
  const handler: JobHandler = (_payload, { job, signal }) => {
    begun.push(job.jobId);
    signal.addEventListener('abort', () => void reasons.push((signal.reason as { code?: string }).code));
    return new Promise<void>((resolve) => void ends.push(resolve));
  };
  return { handler, begun, ends, reasons };
}

describe('polls', () => {
  test('happen at half to one and a half times the interval, and not after stop', async () => {
    const records = await openInlineRecords();
    let claims = 0;
    const fractions = [0, 0.999, 0];
    const { worker } = await open(records, async () => undefined, {
      pollMs: POLL_MS,
      deps: { random: () => fractions.shift() ?? 0 },
      store: (jobs) => ({
        claim: (request) => {
          claims += 1;
          return jobs.claim(request);
        },
        // The reaper would consume random numbers too.
        reap: async () => [],
      }),
    });
    await worker.start();
    await turn();
    expect(claims).toBe(1);
    await pass(POLL_MS / 2 - 1);
    expect(claims).toBe(1);
    await pass(1);
    expect(claims).toBe(2);
    await worker.stop(0);
    await pass(10 * POLL_MS);
    expect(claims).toBe(2);
  });

  test('release jobs that have waited for two seconds', async () => {
    const records = await openInlineRecords();
    const { handler, begun, ends } = heldHandler();
    // The first jobs are short, so that later ones are claimed ahead.
    let calls = 0;
    const { worker } = await open(
      records,
      async (...args) => (++calls <= 20 ? undefined : handler(...args)),
      {
        pollMs: POLL_MS,
      },
    );
    await records.enqueue(60);
    await worker.start();
    await turn();
    expect([begun.length, worker.waiting > 0]).toEqual([2, true]);
    const before = await records.jobs.counts(records.tenantId);
    await pass(2_000);
    expect(worker.waiting).toBe(before.running - 2);
    await pass(1_000);
    // They were released, and without a free slot none is claimed again.
    expect(await records.jobs.counts(records.tenantId)).toMatchObject({ running: 2 + worker.waiting });
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    for (const end of ends) end();
  });
});

describe('hints', () => {
  test('start ready jobs and cancel jobs at once, until stop', async () => {
    const records = await openInlineRecords();
    const { handler, begun, ends, reasons } = heldHandler();
    let hint: (hint: JobHint) => void = () => undefined;
    let isSubscribed = false;
    const hints: NonNullable<WorkerDeps['hints']> = {
      async subscribe(onHint) {
        hint = onHint;
        isSubscribed = true;
        return async () => {
          isSubscribed = false;
        };
      },
    };
    const { worker } = await open(records, handler, { deps: { hints } });
    await worker.start();
    await turn();
    const [jobId = ''] = await records.enqueue(1);
    expect(begun).toEqual([]);
    hint({ kind: 'ready' });
    await turn();
    expect(begun).toEqual([jobId]);
    await records.jobs.cancel(records.tenantId, jobId);
    hint({ kind: 'cancel', jobId: 'of another worker' });
    await turn();
    expect(reasons).toEqual([]);
    hint({ kind: 'cancel', jobId });
    await turn();
    expect(reasons).toEqual(['canceled']);
    for (const end of ends) end();
    await turn();
    expect(isSubscribed).toBe(true);
    await worker.stop(0);
    expect(isSubscribed).toBe(false);
  });
});

describe('a canceled job', () => {
  test('is settled without its handler after the grace period, but keeps its slot until the handler ends', async () => {
    const records = await openInlineRecords();
    const { handler, begun, ends } = heldHandler();
    const { worker } = await open(records, handler, { concurrency: 1 });
    const ids = await records.enqueue(2);
    await worker.start();
    await turn();
    const [jobId = ''] = begun;
    await records.jobs.cancel(records.tenantId, jobId);
    worker.checkLease(jobId);
    await pass(JOB_LIMITS.graceMs - 1);
    expect(await statusesOf(records, [jobId])).toEqual(['running']);
    await pass(1);
    await turn();
    expect(await statusesOf(records, [jobId])).toEqual(['canceled']);
    expect([worker.running, begun]).toEqual([1, [jobId]]);
    ends[0]?.();
    await turn();
    expect(begun).toEqual([jobId, ids.find((id) => id !== jobId)]);
  });

  test('is settled once if its handler ends in time', async () => {
    const records = await openInlineRecords();
    const { handler, begun, ends } = heldHandler();
    let settlements = 0;
    const { worker } = await open(records, handler, {
      store: (jobs) => ({
        settle: (each) => {
          settlements += 1;
          return jobs.settle(each);
        },
      }),
    });
    await records.enqueue(1);
    await worker.start();
    await turn();
    await records.jobs.cancel(records.tenantId, begun[0] ?? '');
    worker.checkLease(begun[0] ?? '');
    await turn();
    ends[0]?.();
    await turn();
    await pass(2 * JOB_LIMITS.graceMs);
    expect(settlements).toBe(1);
  });
});

test('claims again at once after a claim that found jobs', async () => {
  const records = await openInlineRecords({ quotas: { jobsRunning: 100 } });
  const { worker } = await open(records, async () => undefined);
  const ids = await records.enqueue(50);
  await worker.start();
  await turn();
  expect(new Set(await statusesOf(records, ids))).toEqual(new Set(['done']));
});

describe('a store that fails', () => {
  const down = () => Promise.reject(new Error('the store is down'));

  test('does not repeat a failed claim before the next poll', async () => {
    const records = await openInlineRecords();
    let claims = 0;
    const { worker, lines } = await open(records, async () => undefined, {
      pollMs: POLL_MS,
      store: (jobs) => ({
        claim: (request) => (++claims === 1 ? down() : jobs.claim(request)),
      }),
    });
    const ids = await records.enqueue(1);
    await worker.start();
    await turn();
    expect([claims, lines.map(({ message }) => message)]).toEqual([1, ['jobs could not be claimed']]);
    await pass(POLL_MS);
    await turn();
    expect(await statusesOf(records, ids)).toEqual(['done']);
  });

  test('checks for jobs of a lost claim for one minute', async () => {
    const records = await openInlineRecords();
    let claims = 0;
    const checkedAt: number[] = [];
    const startedAt = Date.now();
    const { worker } = await open(records, async () => undefined, {
      pollMs: 20_000,
      store: (jobs) => ({
        claim: (request) => (++claims === 1 ? down() : jobs.claim(request)),
        heldBy: (workerId) => {
          checkedAt.push(Date.now() - startedAt);
          return jobs.heldBy(workerId);
        },
      }),
    });
    await worker.start();
    await pass(120_000);
    expect(checkedAt).toEqual([20_000, 40_000]);
  });

  test('retries writing a result with growing delays until it succeeds', async () => {
    const records = await openInlineRecords();
    let isDown = true;
    const triedAt: number[] = [];
    const startedAt = Date.now();
    const wakes = new JobWakes();
    const { worker } = await open(records, async () => 'result', {
      deps: { wakes },
      store: (jobs) => ({
        settle: (each) => {
          triedAt.push(Date.now() - startedAt);
          return isDown ? down() : jobs.settle(each);
        },
      }),
    });
    const [jobId = ''] = await records.enqueue(1);
    let isAwake = false;
    await worker.start();
    await turn();
    void wakes.wait({ jobId }, 1e9, new AbortController().signal).then(() => {
      isAwake = true;
    });
    await pass(7_150);
    expect(triedAt).toEqual([0, 50, 150, 350, 750, 1_550, 3_150, 5_150, 7_150]);
    isDown = false;
    await pass(2_000);
    await turn();
    expect([await statusesOf(records, [jobId]), isAwake]).toEqual([['done'], true]);
  });

  test('gives up a result once the job must have another holder', async () => {
    const records = await openInlineRecords();
    let tries = 0;
    const { worker, lines } = await open(records, async () => 'result', {
      leaseMs: 10_000,
      store: () => ({
        settle: () => {
          tries += 1;
          return down();
        },
      }),
    });
    await records.enqueue(1);
    await worker.start();
    await pass(20_000);
    const until = tries;
    const givenUp = () => lines.filter(({ fields }) => fields['givenUp'] === true).length;
    expect([givenUp(), until > 9]).toEqual([0, true]);
    await pass(2_000);
    expect([tries, givenUp()]).toEqual([until + 1, 1]);
    await pass(60_000);
    expect(tries).toBe(until + 1);
  });
});

describe('a stop', () => {
  test('aborts a job that outlasts the drain and releases it two seconds later', async () => {
    const records = await openInlineRecords();
    const { handler, ends, reasons } = heldHandler();
    const { worker } = await open(records, handler);
    const ids = await records.enqueue(1);
    await worker.start();
    await turn();
    let isOver = false;
    const stopped = worker.stop(5_000).then(() => {
      isOver = true;
    });
    await pass(4_999);
    expect(reasons).toEqual([]);
    await pass(1);
    expect(reasons).toEqual(['SERVER_STOPPING']);
    await pass(1_999);
    expect(await statusesOf(records, ids)).toEqual(['running']);
    await pass(1);
    await turn();
    expect([isOver, await statusesOf(records, ids)]).toEqual([false, ['queued']]);
    await pass(10);
    await stopped;
    expect([isOver, vi.getTimerCount()]).toEqual([true, 0]);
    // Too late: the result is ignored.
    for (const end of ends) end();
    await turn();
    expect(await statusesOf(records, ids)).toEqual(['queued']);
  });

  test('waits at most two seconds for a store that fails', async () => {
    const records = await openInlineRecords();
    const { worker } = await open(records, async () => undefined, {
      store: () => ({ settle: () => Promise.reject(new Error('the store is down')) }),
    });
    await records.enqueue(1);
    await worker.start();
    await turn();
    let isOver = false;
    const stopped = worker.stop(0).then(() => {
      isOver = true;
    });
    await pass(1_980);
    expect(isOver).toBe(false);
    await pass(40);
    await stopped;
    // The last attempt finds the worker closed.
    await pass(2_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('never starts a job that was lost while waiting, but starts the others', async () => {
  const records = await openInlineRecords({ quotas: { jobsRunning: 100 } });
  const { handler, begun, ends } = heldHandler();
  let calls = 0;
  const { worker } = await open(records, async (...args) => (++calls <= 20 ? undefined : handler(...args)), {
    concurrency: 1,
  });
  await records.enqueue(60);
  await worker.start();
  await turn();
  const waiting = (await records.jobs.heldBy('w')).filter(({ jobId }) => jobId !== begun[0]);
  expect([worker.waiting, waiting.length > 2]).toEqual([waiting.length, true]);
  const { jobId: lost = '', leaseToken = 0 } = waiting[1] ?? {};
  const taken = { jobId: lost, leaseToken, outcome: 'done', events: [], hadSteps: false } as const;
  await records.jobs.settle([taken]);
  worker.checkLease(begun[0] ?? '');
  await turn();
  expect(worker.waiting).toBe(waiting.length - 1);
  for (let at = 0; at < waiting.length; at++) {
    ends[at]?.();
    await turn();
  }
  const others = waiting.map(({ jobId }) => jobId).filter((jobId) => jobId !== lost);
  expect(begun).not.toContain(lost);
  expect(begun).toEqual(expect.arrayContaining(others));
});
