import { describe, expect, test, vi } from 'vitest';
import { openWorker, pass, turn } from '../../test/support/worker-bench.js';
import { createRedactor } from '../net/index.js';
import { JOB_LIMITS } from './job-limits.js';
import type { Settlement } from './job-store.js';

/** The timers of an idle worker: its poll and its reaper. */
const IDLE_TIMERS = 2;

describe('a stop', () => {
  test('during a claim releases the claimed jobs without starting them', async () => {
    let answer = () => {};
    const { worker, queue, handler } = await openWorker({
      replace: (store) => ({
        claim: (request) =>
          new Promise((resolve) => {
            answer = () => resolve(store.claim(request));
          }),
      }),
    });
    await queue.add('a', 'b');
    await worker.start();
    await turn();
    const stopped = worker.stop(0);
    await turn();
    answer();
    await pass(10);
    await stopped;
    expect(queue.settled.map(({ jobId, outcome }) => [jobId, outcome])).toEqual([
      ['a', 'release'],
      ['b', 'release'],
    ]);
    expect([handler.begun, vi.getTimerCount()]).toEqual([[], 0]);
  });

  test('starts no further job when one ends within the drain time, and leaves no timer', async () => {
    const { worker, queue, handler } = await openWorker({ concurrency: 1 });
    await queue.add('a', 'b');
    await worker.start();
    await turn();
    const stopped = worker.stop(5_000);
    await turn();
    await handler.end('a');
    await pass(10);
    await stopped;
    expect(queue.settled).toMatchObject([{ jobId: 'a', outcome: 'done' }]);
    expect([handler.begun, handler.reasons, vi.getTimerCount()]).toEqual([['a'], [], 0]);
  });

  test('waits exactly two seconds for results that cannot be written', async () => {
    const settle = () => new Promise<never>(() => undefined);
    const { worker, queue } = await openWorker({ replace: () => ({ settle }) });
    await queue.add('short');
    await worker.start();
    await turn();
    let isOver = false;
    const stopped = worker.stop(0).then(() => {
      isOver = true;
    });
    await pass(1_999);
    expect(isOver).toBe(false);
    await pass(1);
    expect(isOver).toBe(true);
    await stopped;
  });

  test('during the start ends the subscription to hints and claims nothing', async () => {
    let subscribe = () => {};
    let unsubscribed = 0;
    const unsubscribe = async () => void unsubscribed++;
    const hints = {
      subscribe: () =>
        new Promise<() => Promise<void>>((resolve) => {
          subscribe = () => resolve(unsubscribe);
        }),
    };
    const { worker, queue } = await openWorker({ deps: { hints } });
    const started = worker.start();
    await worker.stop(0);
    expect(unsubscribed).toBe(0);
    subscribe();
    await started;
    await turn();
    expect([unsubscribed, queue.claims, vi.getTimerCount()]).toEqual([1, [], 0]);
  });

  test('has an effect once, however often it is called', async () => {
    let unsubscribed = 0;
    const hints = { subscribe: async () => async () => void unsubscribed++ };
    const { worker } = await openWorker({ deps: { hints } });
    await worker.start();
    await Promise.all([worker.stop(0), worker.stop(0)]);
    await worker.stop(0);
    expect(unsubscribed).toBe(1);
  });
});

describe('a job is settled once', () => {
  /** A worker with one running job, which a user has canceled. */
  async function openCanceled() {
    const canceled = await openWorker();
    const { worker, queue, handler } = canceled;
    await worker.start();
    await turn();
    expect(vi.getTimerCount()).toBe(IDLE_TIMERS);
    await queue.add('a');
    worker.wake();
    await turn();
    await queue.jobs.cancel(queue.tenantId, 'a');
    worker.checkLease('a');
    await turn();
    expect(handler.reasons).toEqual(['a canceled']);
    return canceled;
  }
  const outcomesOf = (settled: readonly Settlement[]) => settled.map(({ outcome }) => outcome);

  test('if its handler ends within the grace period; then no timer is left', async () => {
    const { queue, handler } = await openCanceled();
    await handler.end('a');
    await pass(JOB_LIMITS.flushMs);
    expect([outcomesOf(queue.settled), vi.getTimerCount()]).toEqual([['done'], IDLE_TIMERS]);
  });

  test('if its handler ends after the grace period', async () => {
    const { queue, handler } = await openCanceled();
    await pass(JOB_LIMITS.graceMs);
    expect(outcomesOf(queue.settled)).toEqual(['canceled']);
    await handler.end('a');
    expect(outcomesOf(queue.settled)).toEqual(['canceled']);
  });

  test('if the worker stops before the grace period ends', async () => {
    const { worker, queue, handler } = await openCanceled();
    const stopped = worker.stop(0);
    await pass(2_010);
    await stopped;
    expect(outcomesOf(queue.settled)).toEqual(['release']);
    await pass(JOB_LIMITS.graceMs);
    await handler.end('a');
    expect(outcomesOf(queue.settled)).toEqual(['release']);
  });
});

test('writes an unredacted event when a job starts', async () => {
  const redactor = { ...createRedactor(), value: () => ({ isRedacted: true }) };
  const { worker, queue } = await openWorker({ deps: { redactor } });
  await queue.add('a');
  await worker.start();
  await pass(JOB_LIMITS.flushMs);
  expect(queue.renewals).toMatchObject([
    {
      jobId: 'a',
      events: [{ seq: 1, message: 'running', data: { status: 'running', attempt: 1, worker: 'w' } }],
    },
  ]);
});

test.each([
  [true, []],
  [false, ['the result of a job was discarded: its lease was lost']],
])('if the store accepts a result (%s), logs %j', async (taken, messages) => {
  const { worker, queue, lines } = await openWorker({
    replace: (store) => ({
      settle: async (settlements) => {
        if (!taken) await queue.endElsewhere('short', 'canceled');
        return store.settle(settlements);
      },
    }),
  });
  await queue.add('short');
  await worker.start();
  await turn();
  expect(lines.map(({ message }) => message)).toEqual(messages);
});

test('gives up a result only after two leases have passed', async () => {
  const triedAt: number[] = [];
  const { worker, queue } = await openWorker({
    leaseMs: 2_575,
    replace: () => ({
      settle: () => {
        triedAt.push(Date.now());
        return Promise.reject(new Error('the store is down'));
      },
    }),
  });
  await queue.add('short');
  await worker.start();
  await pass(20_000);
  // Two leases end with the attempt at 5150 ms.
  expect(triedAt).toEqual([0, 50, 150, 350, 750, 1_550, 3_150, 5_150, 7_150]);
});
