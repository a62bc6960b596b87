import { expect, test } from 'vitest';
import { openWorker, pass, turn } from '../../test/support/worker-bench.js';

const whichOf = (claims: readonly { readonly which?: string; readonly at: number }[]) =>
  claims.map(({ which, at }) => `${which} ${at}`);

test('an idle worker claims a suspect at once, and nothing else until the suspect ends', async () => {
  const { worker, queue, handler } = await openWorker();
  await queue.addSuspect('suspect');
  await worker.start();
  await turn();
  expect(queue.claims).toMatchObject([
    { which: 'shared', limit: 3 },
    { which: 'alone', limit: 1 },
  ]);
  await queue.addSuspect('another');
  await queue.add('a');
  worker.wake();
  await turn();
  expect(handler.begun).toEqual(['suspect']);
  await queue.jobs.cancel(queue.tenantId, 'another');
  await handler.end('suspect');
  expect(handler.begun).toEqual(['suspect', 'a']);
});

test('a busy worker shares for five seconds, then takes no more jobs until it is idle', async () => {
  const { worker, queue, handler } = await openWorker({ pollMs: 1_000 });
  await worker.start();
  await pass(10_000);
  queue.claims.length = 0;
  await queue.addSuspect('suspect');
  await queue.add('a');
  worker.wake();
  await pass(5_999);
  const shared = [0, 0, 1_000, 2_000, 3_000, 4_000, 5_000].map((ms) => `shared ${10_000 + ms}`);
  expect(whichOf(queue.claims)).toEqual(shared);
  await queue.add('b');
  await pass(2_001);
  expect([whichOf(queue.claims), handler.begun]).toEqual([shared, ['a']]);
  await handler.end('a');
  expect(whichOf(queue.claims)).toEqual([...shared, 'alone 18000']);
  await handler.end('suspect');
  expect(handler.begun).toEqual(['a', 'suspect', 'b']);
});

test('jobs that wait for a slot are released for a suspect, but only after five seconds', async () => {
  const { worker, queue, runShortJobs } = await openWorker({ concurrency: 1, pollMs: 1_000 });
  await worker.start();
  await runShortJobs(0);
  await queue.addSuspect('suspect');
  await queue.add('a');
  worker.wake();
  await pass(4_500);
  await queue.add('b');
  await pass(1_499);
  expect([worker.waiting, queue.settled]).toEqual([1, []]);
  await pass(1);
  expect(worker.waiting).toBe(0);
  expect(queue.settled).toMatchObject([{ jobId: 'b', outcome: 'release' }]);
});

test('a worker is not idle while a job runs and the result of another is being written', async () => {
  const { worker, queue, handler } = await openWorker({
    replace: () => ({ settle: () => new Promise(() => undefined) }),
  });
  await queue.add('a', 'b');
  await worker.start();
  await turn();
  await queue.addSuspect('suspect');
  await handler.end('a');
  worker.wake();
  await turn();
  expect([...new Set(queue.claims.map(({ which }) => which))]).toEqual(['shared']);
  await handler.end('b');
  expect(handler.begun).toEqual(['a', 'b']);
});

test('if another worker took the suspect, other jobs are claimed at once', async () => {
  const { worker, queue, handler } = await openWorker({
    replace: (store) => ({
      claim: async (request) => {
        if (request.which === 'alone') {
          await store.claim({ ...request, workerId: 'another' });
          await queue.add('a');
        }
        return store.claim(request);
      },
    }),
  });
  await queue.addSuspect('suspect');
  await worker.start();
  await turn();
  expect(whichOf(queue.claims).slice(0, 3)).toEqual(['shared 0', 'alone 0', 'shared 0']);
  expect(handler.begun).toEqual(['a']);
});
