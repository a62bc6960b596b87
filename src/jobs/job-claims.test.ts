import { expect, test } from 'vitest';
import { LEASE_MS, openWorker, pass, turn } from '../../test/support/worker-bench.js';

const limitsOf = (claims: readonly { readonly limit: number }[]) => claims.map(({ limit }) => limit);
/** In the order in which they are claimed. */
const names = (count: number, prefix = 'job') =>
  Array.from({ length: count }, (_, n) => `${prefix} ${String(n).padStart(4, '0')}`);

test('claims once at a time, however often it is woken, and once more for what came meanwhile', async () => {
  const claims: (() => void)[] = [];
  const { worker } = await openWorker({
    replace: (store) => ({
      claim: (request) =>
        new Promise((resolve) => {
          claims.push(() => resolve(store.claim(request)));
        }),
    }),
  });
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
  const { worker, queue } = await openWorker({ deps: { handlers } });
  await worker.start();
  await turn();
  expect(queue.claims).toEqual([
    {
      workerId: 'w',
      kinds: ['hello', 'suite'],
      limit: 3,
      leaseMs: LEASE_MS,
      runningMax: 1_000,
      after: null,
      which: 'shared',
      share: { held: {}, heldMax: 2, guests: 0 },
      at: 0,
    },
  ]);
});

test('the tenant of the last job comes last in the next claim', async () => {
  const { worker, queue, records } = await openWorker({ concurrency: 2 });
  const tenants = [
    await records.newTenant('b'),
    await records.newTenant('c'),
    await records.newTenant('d'),
  ].sort();
  for (const [n, tenant] of tenants.entries()) await queue.addFor(tenant, `short ${n}`);
  await worker.start();
  await turn();
  worker.wake();
  await turn();
  const [, second, third] = tenants;
  expect(queue.claims.map(({ after }) => after)).toEqual([null, second, third, third, third]);
});

test('does not claim while all slots are busy', async () => {
  const { worker, queue, handler } = await openWorker({ concurrency: 1 });
  await queue.add('a', 'b');
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
  const { worker, queue, handler } = await openWorker({
    concurrency: 1,
    replace: () => ({ settle: () => new Promise(() => undefined) }),
  });
  await queue.add('a', 'b');
  await worker.start();
  await turn();
  await handler.end('a');
  expect(handler.begun).toEqual(['a', 'b']);
});

test('claims a tenth of a second of work ahead, and more once half of it is used', async () => {
  const { worker, queue, handler, runShortJobs } = await openWorker();
  await worker.start();
  await runShortJobs(10);
  const jobs = names(60);
  await queue.add(...jobs);
  worker.wake();
  await turn();
  expect([limitsOf(queue.claims), worker.running, worker.waiting]).toEqual([[33], 2, 30]);
  for (let pair = 0; pair < 8; pair++) {
    expect(limitsOf(queue.claims)).toEqual([33]);
    await pass(10);
    await handler.end(...jobs.slice(2 * pair, 2 * pair + 2));
  }
  expect([limitsOf(queue.claims), worker.waiting]).toEqual([[33, 16], 29]);
});

test('never holds more jobs than one claim takes', async () => {
  const { worker, queue, runShortJobs } = await openWorker();
  await worker.start();
  await runShortJobs(0);
  await queue.add('a', 'b');
  worker.wake();
  await turn();
  expect(limitsOf(queue.claims)).toEqual([500, 498]);
});

test('claims no more while the results of over a thousand jobs are being written', async () => {
  let write = () => {};
  let isSlow = false;
  const { worker, queue, records, handler, runShortJobs } = await openWorker({
    replace: (store) => ({
      settle: async (settlements) => {
        if (isSlow) await new Promise<void>((resolve) => (write = resolve));
        return store.settle(settlements);
      },
    }),
  });
  await worker.start();
  await runShortJobs(0);
  isSlow = true;
  // Of several tenants, because each may have at most a thousand running jobs.
  for (const slug of ['b', 'c', 'd'])
    await queue.addFor(await records.newTenant(slug), ...names(1_000, `short ${slug}`));
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
  const { worker, queue, runShortJobs } = await openWorker({ concurrency: 1, pollMs: 1_000 });
  await worker.start();
  await runShortJobs(0);
  await pass(10_000);
  await queue.add('a', 'b', 'c');
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
  const { worker, queue, handler, runShortJobs } = await openWorker({
    concurrency: 1,
  });
  await worker.start();
  await runShortJobs(0);
  await queue.add('a', 'b', 'c');
  worker.wake();
  await turn();
  await queue.endElsewhere('a', 'canceled');
  worker.checkLease('a');
  await turn();
  expect([handler.reasons, worker.waiting]).toEqual([['a LEASE_LOST'], 2]);
  await handler.end('a');
  expect([handler.begun, queue.settled]).toEqual([['a', 'b'], []]);
});

test('does not repeat a claim that failed, even if it was woken in the meantime', async () => {
  const { worker, queue } = await openWorker({
    replace: () => ({
      claim: async () => {
        await turn();
        if (queue.claims.length < 3) worker.wake();
        throw new Error('the store is down');
      },
    }),
  });
  await worker.start();
  for (let n = 0; n < 5; n++) await turn();
  expect(queue.claims).toHaveLength(1);
});

test('after a lost claim, releases only jobs that it does not hold with the same lease', async () => {
  let isLost = false;
  const { worker, queue, handler } = await openWorker({
    concurrency: 5,
    replace: (store) => ({
      claim: async (request) => {
        const claimed = await store.claim(request);
        if (isLost) throw new Error('the response was lost');
        return claimed;
      },
    }),
  });
  await queue.add('a', 'b');
  await worker.start();
  await turn();
  // The lost claim gets it again, under a second lease.
  await queue.endElsewhere('b', 'release');
  await queue.add('c');
  for (isLost of [true, false]) {
    worker.wake();
    await turn();
  }
  const released = queue.settled.map(({ jobId, leaseToken, outcome }) => [jobId, leaseToken, outcome]);
  expect(released.sort()).toEqual([
    ['b', 2, 'release'],
    ['c', 1, 'release'],
  ]);
  expect(handler.reasons).toEqual(['b LEASE_LOST']);
  expect(handler.begun).toEqual(['a', 'b', 'b', 'c']);
});
