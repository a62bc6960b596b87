import { expect, onTestFinished, test, vi } from 'vitest';
import { type InlineRecords, openInlineRecords } from '../../test/support/inline-records.js';
import { keepingLog, type LogLine } from '../../test/support/keeping-log.js';
import { JobWakes } from './job-events.js';
import { JOB_LIMITS } from './job-limits.js';
import { JobReaper, type ReaperDeps } from './job-reaper.js';

const CLAIM = { workerId: 'dead', kinds: ['hello'], leaseMs: 0, runningMax: 999, after: null } as const;

/** A store without expired leases. */
const EMPTY: ReaperDeps['store'] = {
  reap: async () => [],
  pullBack: async () => 0,
};

function open(store: ReaperDeps['store'], deps: Partial<ReaperDeps> = {}): JobReaper {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reaper = new JobReaper({
    store,
    wakes: new JobWakes(),
    log: keepingLog(),
    random: () => 0,
    ...deps,
  });
  onTestFinished(() => {
    reaper.stop();
    vi.useRealTimers();
  });
  reaper.start();
  return reaper;
}

const statusesOf = async ({ jobs, tenantId }: InlineRecords, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await jobs.get(tenantId, id))?.status));

/** Lets the worker of the job die on every attempt, including the last. */
async function dieOnEveryAttempt({ jobs }: InlineRecords): Promise<void> {
  for (let died = 1; died <= 3; died++) {
    await jobs.claim({ ...CLAIM, limit: 1 });
    if (died < 3) await jobs.reap({ limit: 1, backoffFirstMs: 0, backoffMaxMs: 0, fractions: [0] });
  }
}

test('requeues a job whose worker died and wakes its readers', async () => {
  const records = await openInlineRecords();
  const ids = await records.enqueue(1);
  await records.jobs.claim({ ...CLAIM, limit: 1 });
  const wakes = new JobWakes();
  let isAwake = false;
  void wakes.wait({ jobId: ids[0] ?? '' }, 1e9, new AbortController().signal).then(() => {
    isAwake = true;
  });
  open(records.jobs, { wakes });
  await vi.advanceTimersByTimeAsync(JOB_LIMITS.reapEveryMs / 2 - 1);
  expect(await statusesOf(records, ids)).toEqual(['running']);
  await vi.advanceTimersByTimeAsync(1);
  expect([await statusesOf(records, ids), isAwake]).toEqual([['queued'], true]);
});

test('requeues more jobs than fit in one statement in one run', async () => {
  const records = await openInlineRecords({ quotas: { jobsRunning: 999 } });
  const ids = await records.enqueue(JOB_LIMITS.reapMax + 1);
  await records.jobs.claim({ ...CLAIM, limit: ids.length });
  open(records.jobs);
  await vi.advanceTimersByTimeAsync(JOB_LIMITS.reapEveryMs / 2);
  expect(new Set(await statusesOf(records, ids))).toEqual(new Set(['queued']));
});

test('retries after a failure of the store, but not after stop', async () => {
  let calls = 0;
  const store: ReaperDeps['store'] = {
    ...EMPTY,
    reap: () => Promise.reject(new Error(`down ${++calls}`)),
  };
  const reaper = open(store);
  await vi.advanceTimersByTimeAsync(3 * (JOB_LIMITS.reapEveryMs / 2));
  expect(calls).toBe(3);
  reaper.stop();
  await vi.advanceTimersByTimeAsync(10 * JOB_LIMITS.reapEveryMs);
  expect(calls).toBe(3);
});

test.each([
  [0, 500],
  [0.75, 1_250],
])('with a random number of %d, reaps after %i ms', async (fraction, ms) => {
  let reaps = 0;
  const store: ReaperDeps['store'] = {
    ...EMPTY,
    reap: async () => {
      reaps += 1;
      return [];
    },
  };
  open(store, { random: () => fraction });
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(reaps).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(reaps).toBe(1);
});

test('a stop during a run ends it after the current statement and leaves no timer', async () => {
  let reaps = 0;
  const expired = {
    jobId: 'job',
    tenantId: 'tenant',
    leaseToken: 1,
    kind: 'hello',
    status: 'queued',
  } as const;
  const reap = async () => {
    reaps += 1;
    reaper.stop();
    return Array.from({ length: JOB_LIMITS.reapMax }, () => expired);
  };
  const reaper = open({ ...EMPTY, reap });
  await vi.advanceTimersByTimeAsync(5 * JOB_LIMITS.reapEveryMs);
  expect([reaps, vi.getTimerCount()]).toEqual([1, 0]);
});

test('a stop between two runs leaves no timer', async () => {
  const reaper = open(EMPTY);
  expect(vi.getTimerCount()).toBe(1);
  reaper.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('fails a job that died on its last attempt', async () => {
  const records = await openInlineRecords();
  const ids = await records.enqueue(1);
  await dieOnEveryAttempt(records);
  const lines: LogLine[] = [];
  open(records.jobs, { log: keepingLog(lines) });
  await vi.advanceTimersByTimeAsync(JOB_LIMITS.reapEveryMs / 2);
  expect(await statusesOf(records, ids)).toEqual(['failed']);
  expect(lines.map(({ message }) => message)).toEqual(['a lease has expired']);
});

test.each([
  [0, []],
  [1, ['the clock was ahead; job deadlines were moved back']],
])('logs a pull-back of %i jobs as %j', async (jobs, messages) => {
  const lines: LogLine[] = [];
  open({ ...EMPTY, pullBack: async () => jobs }, { log: keepingLog(lines) });
  await vi.advanceTimersByTimeAsync(JOB_LIMITS.reapEveryMs / 2);
  expect(lines.map(({ message }) => message)).toEqual(messages);
});

test('pulls back deadlines of a fast clock on the first and every twentieth run', async () => {
  let pulled = 0;
  const store: ReaperDeps['store'] = { ...EMPTY, pullBack: async () => ++pulled };
  open(store);
  const passRuns = (count: number) => vi.advanceTimersByTimeAsync(count * (JOB_LIMITS.reapEveryMs / 2));
  await passRuns(20);
  expect(pulled).toBe(1);
  await passRuns(1);
  expect(pulled).toBe(2);
});
