import { expect, onTestFinished, test, vi } from 'vitest';
import { type InlineRecords, openInlineRecords } from '../../test/support/inline-records.js';
import { keepingLog } from '../../test/support/keeping-log.js';
import { createRedactor } from '../net/index.js';
import type { JobHandler } from './job-handler.js';
import { JOB_LIMITS } from './job-limits.js';
import type { JobStore, Settlement } from './job-store.js';
import { type HeldRunDeps, runHeldJob } from './run-held-job.js';

const LEASE_MS = 60_000;
const CLAIM = {
  workerId: 'w',
  kinds: ['hello'],
  limit: 1,
  leaseMs: LEASE_MS,
  runningMax: 9,
  after: null,
} as const;

async function run(handler: JobHandler, more: Partial<HeldRunDeps> = {}, records?: InlineRecords) {
  const { jobs, tenantId, enqueue } = records ?? (await openInlineRecords());
  const [jobId = ''] = await enqueue(1);
  const { jobs: claimed } = await jobs.claim(CLAIM);
  const [job] = claimed;
  if (!job) throw new Error('nothing was claimed');
  const settled: Settlement[] = [];
  await runHeldJob(job, {
    store: jobs,
    handler,
    workerId: 'w',
    leaseMs: LEASE_MS,
    durationMs: 60_000,
    resumed: false,
    stepsOver: (steps) => steps,
    settle: async (settlement) => {
      settled.push(settlement);
      await jobs.settle([settlement]);
    },
    log: keepingLog(),
    redactor: createRedactor(),
    clock: Date.now,
    random: () => 0.5,
    ...more,
  });
  const events = await jobs.events(tenantId, jobId, { after: 0, limit: 100 });
  return {
    job: await jobs.get(tenantId, jobId),
    settled,
    messages: events.map(({ message }) => message),
    data: events.map(({ data }) => data),
  };
}

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('runs a job to its end with its events in order', async () => {
  const { job, settled, messages } = await run(async (payload, { progress, job: { jobId } }) => {
    progress({ percent: 50, message: `half of ${typeof payload}` });
    return { jobId };
  });
  expect(job).toMatchObject({ status: 'done', attempt: 1 });
  expect(settled).toMatchObject([{ outcome: 'done', leaseToken: 1 }]);
  expect(messages.slice(-2)).toEqual(['half of object', 'done']);
});

test('a resumed job does not emit the running event again', async () => {
  useFakeTimers();
  const wait: JobHandler = async () => void (await vi.advanceTimersByTimeAsync(JOB_LIMITS.flushMs));
  // Both events are our own text, so they are not redacted.
  const redactor = { ...createRedactor(), value: () => ({ isRedacted: true }) };
  const begun = await run(wait, { redactor });
  expect(begun.messages).toEqual(['running', 'done']);
  expect(begun.data).toEqual([
    { status: 'running', attempt: 1, worker: 'w' },
    { status: 'done', attempt: 1 },
  ]);
  const resumed = await run(wait, { resumed: true });
  expect(resumed.messages).toEqual(['done']);
});

test('runs steps through the host and settles with hadSteps', async () => {
  const names: string[] = [];
  const { settled } = await run(
    async (_payload, { steps }) => {
      await steps.do('one', {}, async () => 1);
    },
    {
      stepsOver: (recorded) => ({
        do: (name, options, act) => {
          names.push(name);
          return recorded.do(name, options, act);
        },
      }),
    },
  );
  expect([names, settled[0]?.hadSteps]).toEqual([['one'], true]);
});

test('settles the job with what its handler throws', async () => {
  const { job, settled } = await run(() => Promise.reject(new Error('reset')));
  expect(settled).toMatchObject([{ outcome: 'again', error: 'reset', delayMs: 500 }]);
  expect(job).toMatchObject({ status: 'queued', lastError: 'reset' });
});

test('does not settle a job whose lease is lost', async () => {
  const records = await openInlineRecords();
  const { settled } = await run(
    async (_payload, { job, steps }) => {
      await records.jobs.settle([{ ...job, outcome: 'release', events: [], hadSteps: false }]);
      await steps.do('too late', {}, async () => 1).catch(() => undefined);
      return 'too late';
    },
    {},
    records,
  );
  expect(settled).toEqual([]);
});

test('a result counts even if a renewal in flight finds the lease gone, and no timer is left', async () => {
  useFakeTimers();
  const records = await openInlineRecords();
  let answer = () => {};
  const renew: JobStore['renew'] = () =>
    new Promise((resolve) => {
      answer = () => resolve(['lost']);
    });
  const { settled } = await run(
    async () => {
      await vi.advanceTimersByTimeAsync(JOB_LIMITS.flushMs);
      setImmediate(answer);
    },
    { store: Object.assign(Object.create(records.jobs), { renew }) as JobStore },
    records,
  );
  expect([settled.length, vi.getTimerCount()]).toEqual([1, 0]);
});
