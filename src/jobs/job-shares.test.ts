/** How tenants share the slots of one worker. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { openInlineRecords } from '../../test/support/inline-records.js';
import { keepingLog } from '../../test/support/keeping-log.js';
import { createRedactor } from '../net/index.js';
import { JobWakes } from './job-events.js';
import type { JobHandler } from './job-handler.js';
import { JobWorker } from './job-worker.js';
import { uniqueKey } from './unique-key.js';

const LEASE_MS = 60_000;

interface Choices {
  readonly concurrency: number;
  readonly durationMs?: number;
}

/** A worker whose jobs wait, each by its name, until the test ends the wait; a job named "work …" keeps its slot. */
async function openShared({ concurrency, durationMs = 3_600_000 }: Choices) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const records = await openInlineRecords();
  const begun: string[] = [];
  const over: string[] = [];
  const waits = new Map<string, () => void>();
  const hello: JobHandler = async (payload, { during, signal }) => {
    const { name } = payload as { readonly name: string };
    begun.push(name);
    const stopped = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
    const wait = () => Promise.race([new Promise<void>((resolve) => void waits.set(name, resolve)), stopped]);
    await (name.startsWith('work') ? wait() : during(wait));
    over.push(name);
  };
  const worker = new JobWorker({
    store: records.jobs,
    handlers: { hello },
    wakes: new JobWakes(),
    log: keepingLog(),
    redactor: createRedactor(),
    clock: Date.now,
    random: () => 0.5,
    options: { workerId: 'w', leaseMs: LEASE_MS, durationMs, concurrency, pollMs: 36_000_000 },
  });
  const add = async (tenantId: string, ...names: string[]) => {
    const jobs = names.map((name) => ({
      ...{ jobId: name, tenantId, kind: 'hello' as const, payload: { name } },
      ...{ idempotencyKey: uniqueKey(), maxAttempts: 3 },
    }));
    await records.jobs.enqueue(jobs);
    worker.wake();
    await settled();
  };
  onTestFinished(async () => {
    const stopped = worker.stop(0);
    await vi.advanceTimersByTimeAsync(10_000);
    await stopped;
    vi.useRealTimers();
  });
  await worker.start();
  const [a, b, c] = [records.tenantId, await records.newTenant('b'), await records.newTenant('c')];
  const end = async (...names: string[]) => {
    for (const name of names) waits.get(name)?.();
    await settled();
  };
  const statusOf = (tenantId: string, name: string) => records.jobs.get(tenantId, name);
  return { worker, begun, over, add, end, statusOf, a, b, c, records };
}

/** Enough turns for claims and writes, and the pause between two claims for guests. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(200);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

test('a tenant alone starts all jobs but one, and another tenant starts at once', async () => {
  const { begun, add, a, b } = await openShared({ concurrency: 4 });
  await add(a, ...names('work a', 10));
  expect(begun).toEqual(['work a0', 'work a1', 'work a2']);
  await add(b, 'work b0', 'work b1');
  expect(begun.slice(3)).toEqual(['work b0']);
});

test('with one slot, another tenant starts while a job waits, and the job continues after its wait', async () => {
  const { worker, begun, over, add, end, a, b, c } = await openShared({ concurrency: 1 });
  await add(a, 'a0', 'a1');
  expect(begun).toEqual(['a0']);
  await add(b, 'b0', 'b1');
  await add(c, 'work c0');
  expect([begun, worker.running]).toEqual([['a0', 'b0', 'work c0'], 3]);
  // The slot belongs to c, which works.
  await end('a0', 'b0');
  expect(over).toEqual([]);
  await end('work c0');
  expect(over).toEqual(['work c0', 'a0', 'b0']);
  expect(begun.slice(3).sort()).toEqual(['a1', 'b1']);
});

test('while all slots are used by jobs that wait, every other tenant starts one job', async () => {
  const { begun, add, end, a, b, c } = await openShared({ concurrency: 3 });
  await add(a, ...names('a', 5));
  await add(b, ...names('b', 5));
  expect(begun).toEqual(['a0', 'a1', 'b0']);
  await add(c, ...names('c', 3));
  expect(begun.slice(3)).toEqual(['c0']);
  await end('c0');
  expect(begun.slice(4)).toEqual(['c1']);
});

test('a job that is canceled while its wait has ended and there is no slot ends at once', async () => {
  const { worker, add, end, over, statusOf, a, b, records } = await openShared({ concurrency: 1 });
  await add(a, 'a0');
  await add(b, 'work b0');
  await end('a0');
  expect(over).toEqual([]);
  await records.jobs.cancel(a, 'a0');
  worker.checkLease('a0');
  await settled();
  expect([over, (await statusOf(a, 'a0'))?.status]).toEqual([['a0'], 'done']);
});

test('a job fails once it has run for its greatest duration, over all attempts, while it waits too', async () => {
  const { worker, add, statusOf, a, records } = await openShared({ concurrency: 2, durationMs: 10_000 });
  await add(a, 'a0');
  await vi.advanceTimersByTimeAsync(6_000);
  // Another process continues it.
  const stopped = worker.stop(0);
  await vi.advanceTimersByTimeAsync(5_000);
  await stopped;
  expect(await statusOf(a, 'a0')).toMatchObject({ status: 'queued', attempt: 0 });
  const [again] = (
    await records.jobs.claim({
      ...{ workerId: 'x', kinds: ['hello'], limit: 1, leaseMs: 0, runningMax: 9, after: null },
    })
  ).jobs;
  expect(again?.ranMs).toBeGreaterThanOrEqual(6_000);
  expect(again?.ranMs).toBeLessThan(10_000);
});

test('an overdue job fails with a code that names the limit, and is not tried again', async () => {
  const { add, statusOf, a } = await openShared({ concurrency: 2, durationMs: 10_000 });
  await add(a, 'a0', 'work a1');
  await vi.advanceTimersByTimeAsync(9_000);
  expect((await statusOf(a, 'a0'))?.status).toBe('running');
  await vi.advanceTimersByTimeAsync(1_000);
  await settled();
  expect(await statusOf(a, 'a0')).toMatchObject({
    ...{ status: 'failed', attempt: 1 },
    lastError: expect.stringMatching(/^JOB_TIME_EXCEEDED: .* 10 s, the limit jobs\.durationMs/),
  });
});
