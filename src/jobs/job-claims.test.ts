import { expect, test } from 'vitest';
import { jobOf, LEASE_MS, openScriptedWorker, pass, turn } from '../../test/support/scripted-worker.js';
import type { JobStore } from './job-store.js';

const limitsOf = (claims: readonly { readonly limit: number }[]) => claims.map(({ limit }) => limit);
const names = (count: number, prefix = 'job') => Array.from({ length: count }, (_, n) => `${prefix} ${n}`);

test('claims once at a time, however often it is woken, and once more for what came meanwhile', async () => {
  const claims: (() => void)[] = [];
  const claim: JobStore['claim'] = () =>
    new Promise((resolve) => {
      claims.push(() => resolve({ jobs: [], capped: false, suspects: false }));
    });
  const { worker } = openScriptedWorker({ store: { claim } });
  await worker.start();
  await turn();
  for (let n = 0; n < 3; n++) worker.wake();
  await turn();
  expect(claims).toHaveLength(1);
  claims[0]?.();
  await turn();
  expect(claims).toHaveLength(2);
  claims[1]?.();
  await turn();
  expect(claims).toHaveLength(2);
});

test('claims only kinds with a handler', async () => {
  const handlers = { suite: async () => undefined, hello: async () => undefined };
  const { worker, queue } = openScriptedWorker({ deps: { handlers } });
  await worker.start();
  await turn();
  expect(queue.claims).toEqual([
    {
      workerId: 'w',
      kinds: ['hello', 'suite'],
      limit: 2,
      leaseMs: LEASE_MS,
      runningMax: 1_000,
      after: null,
      which: 'shared',
      at: 0,
    },
  ]);
});

test('the tenant of the last job comes last in the next claim', async () => {
  const { worker, queue } = openScriptedWorker();
  queue.add('short a', 'short b', 'short c');
  await worker.start();
  await turn();
  worker.wake();
  await turn();
  const [a, b, c] = [null, 'tenant of short b', 'tenant of short c'];
  expect(queue.claims.map(({ after }) => after)).toEqual([a, b, c, c]);
});

test('does not claim while all slots are busy', async () => {
  const { worker, queue, handler } = openScriptedWorker({ concurrency: 1 });
  queue.add('a', 'b');
  await worker.start();
  await turn();
  worker.wake();
  await turn();
  expect(limitsOf(queue.claims)).toEqual([1]);
  await handler.end('a');
  expect([limitsOf(queue.claims), handler.begun]).toEqual([
    [1, 1],
    ['a', 'b'],
  ]);
});

test('starts the next job while the result of the last is being written', async () => {
  const { worker, queue, handler } = openScriptedWorker({
    concurrency: 1,
    store: { settle: () => new Promise(() => undefined) },
  });
  queue.add('a', 'b');
  await worker.start();
  await turn();
  await handler.end('a');
  expect(handler.begun).toEqual(['a', 'b']);
});

test('claims a tenth of a second of work ahead, and more once half of it is used', async () => {
  const { worker, queue, handler, runShortJobs } = openScriptedWorker();
  await worker.start();
  await runShortJobs(10);
  const jobs = names(60);
  queue.add(...jobs);
  worker.wake();
  await turn();
  expect([limitsOf(queue.claims), worker.running, worker.waiting]).toEqual([[22], 2, 20]);
  for (let pair = 0; pair < 5; pair++) {
    expect(limitsOf(queue.claims)).toEqual([22]);
    await pass(10);
    await handler.end(...jobs.slice(2 * pair, 2 * pair + 2));
  }
  expect([limitsOf(queue.claims), worker.waiting]).toEqual([[22, 10], 20]);
});

test('never holds more jobs than one claim takes', async () => {
  const { worker, queue, runShortJobs } = openScriptedWorker();
  await worker.start();
  await runShortJobs(0);
  queue.add('a', 'b');
  worker.wake();
  await turn();
  expect(limitsOf(queue.claims)).toEqual([500, 498]);
});

test('claims no more while the results of over a thousand jobs are being written', async () => {
  let write = () => {};
  let isSlow = false;
  const { worker, queue, handler, runShortJobs } = openScriptedWorker({
    store: {
      settle: async (settlements) => {
        if (isSlow) await new Promise<void>((resolve) => (write = resolve));
        return settlements.map(() => true);
      },
    },
  });
  await worker.start();
  await runShortJobs(0);
  isSlow = true;
  queue.add(...names(3_000, 'short'));
  worker.wake();
  await turn();
  const begun = handler.begun.length;
  expect(begun).toBeGreaterThan(1_000);
  expect(begun).toBeLessThanOrEqual(1_500);
  isSlow = false;
  write();
  await turn();
  expect(handler.begun).toHaveLength(3_000);
});

test('releases jobs at the first poll after they have waited for two seconds', async () => {
  const { worker, queue, runShortJobs } = openScriptedWorker({ concurrency: 1, pollMs: 1_000 });
  await worker.start();
  await runShortJobs(0);
  await pass(10_000);
  queue.add('a', 'b', 'c');
  worker.wake();
  await pass(2_000);
  expect([worker.waiting, queue.settled]).toEqual([2, []]);
  await pass(1_000);
  expect(worker.waiting).toBe(0);
  expect(queue.settled.map(({ jobId, outcome }) => [jobId, outcome])).toEqual([
    ['b', 'release'],
    ['c', 'release'],
  ]);
});

test('a job that is lost while it runs is aborted and not settled, and the others keep waiting', async () => {
  const { worker, queue, handler, runShortJobs } = openScriptedWorker({
    concurrency: 1,
    store: { renew: async (renewals) => renewals.map(({ jobId }) => (jobId === 'a' ? 'lost' : 'held')) },
  });
  await worker.start();
  await runShortJobs(0);
  queue.add('a', 'b', 'c');
  worker.wake();
  await turn();
  worker.checkLease('a');
  await turn();
  expect([handler.reasons, worker.waiting]).toEqual([['a LEASE_LOST'], 2]);
  await handler.end('a');
  expect([handler.begun, queue.settled]).toEqual([['a', 'b'], []]);
});

test('does not repeat a claim that failed, even if it was woken in the meantime', async () => {
  let claims = 0;
  const claim: JobStore['claim'] = async () => {
    claims += 1;
    await turn();
    if (claims < 3) worker.wake();
    throw new Error('the store is down');
  };
  const { worker } = openScriptedWorker({ store: { claim } });
  await worker.start();
  for (let n = 0; n < 5; n++) await turn();
  expect(claims).toBe(1);
});

test('after a lost claim, releases only jobs that it does not hold with the same lease', async () => {
  const { worker, queue, handler } = openScriptedWorker({
    concurrency: 3,
    store: { heldBy: async () => [jobOf('a'), jobOf('b', { leaseToken: 2 }), jobOf('c')] },
  });
  queue.add('a', 'b');
  await worker.start();
  await turn();
  for (const isDown of [true, false]) {
    queue.isDown = isDown;
    worker.wake();
    await turn();
  }
  expect(queue.settled).toMatchObject([
    { jobId: 'b', leaseToken: 2, outcome: 'release' },
    { jobId: 'c', leaseToken: 1, outcome: 'release' },
  ]);
  expect(handler.reasons).toEqual(['b LEASE_LOST']);
});
