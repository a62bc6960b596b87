import { expect, onTestFinished, test } from 'vitest';
import { type InlineRecords, openInlineRecords } from '../../test/support/inline-records.js';
import { keepingLog } from '../../test/support/keeping-log.js';
import { SondeError } from '../errors.js';
import { createRedactor } from '../net/index.js';
import { JobWakes } from './job-events.js';
import type { JobHandler } from './job-handler.js';
import { JobWorker } from './job-worker.js';

const DRAIN_MS = 5_000;

interface WorkerChoices {
  readonly concurrency?: number;
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly random?: () => number;
}

async function workerOf(
  records: InlineRecords,
  hello: JobHandler,
  { random = Math.random, ...options }: WorkerChoices = {},
): Promise<JobWorker> {
  const worker = new JobWorker({
    store: records.jobs,
    handlers: { hello },
    wakes: new JobWakes(),
    log: keepingLog(),
    redactor: createRedactor(),
    clock: Date.now,
    random,
    options: {
      ...{ workerId: 'w', leaseMs: 60_000, durationMs: 86_400_000, concurrency: 3, pollMs: 20 },
      ...options,
    },
  });
  await worker.start();
  onTestFinished(() => worker.stop(0));
  return worker;
}

const readJob = async ({ jobs, tenantId }: InlineRecords, jobId: string) => {
  const job = await jobs.get(tenantId, jobId);
  if (!job) throw new Error('no such job');
  return job;
};

const untilEnded = async (records: InlineRecords, jobId: string) => {
  for (;;) {
    const job = await readJob(records, jobId);
    if (['done', 'failed', 'canceled'].includes(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** A promise that the test or the handler resolves with `open`. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test('a stopping worker finishes its running jobs and releases those it has not started', async () => {
  const records = await openInlineRecords();
  const held = gate();
  const begun = gate();
  let calls = 0;
  const worker = await workerOf(records, async () => {
    calls += 1;
    // The first jobs are short, so that the worker claims jobs ahead of time.
    if (calls <= 40) return;
    begun.open();
    await held.opened;
  });
  const ids = await records.enqueue(400);
  worker.wake();
  await begun.opened;
  expect(worker.waiting).toBeGreaterThan(0);
  const stopped = worker.stop(DRAIN_MS);
  held.open();
  await stopped;
  const jobs = await Promise.all(ids.map((id) => readJob(records, id)));
  const done = jobs.filter(({ status }) => status === 'done');
  const back = jobs.filter(({ status }) => status === 'queued');
  expect(done).toHaveLength(calls);
  expect(back).toHaveLength(ids.length - calls);
  // As if they had never been claimed.
  expect(back.every(({ attempt, lockedBy }) => attempt === 0 && lockedBy === null)).toBe(true);
});

test('a handler that outlasts the drain is aborted, and its job continues elsewhere', async () => {
  const records = await openInlineRecords();
  const begun = gate();
  const first = await workerOf(records, async (_payload, { signal }) => {
    begun.open();
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const [jobId = ''] = await records.enqueue(1);
  await begun.opened;
  await first.stop(0);
  expect(await readJob(records, jobId)).toMatchObject({ status: 'queued', attempt: 0 });
  await workerOf(records, async () => 'elsewhere');
  expect(await untilEnded(records, jobId)).toMatchObject({ status: 'done', attempt: 1 });
});

test('a later attempt continues after the last recorded step', async () => {
  const records = await openInlineRecords();
  const ran: string[] = [];
  await workerOf(records, async (_payload, { steps, job }) => {
    const step = (name: string) =>
      steps.do(name, {}, async () => {
        ran.push(`${name} ${job.attempt}`);
        if (name === 'second' && job.attempt === 1) {
          throw new SondeError('timeout', 'no response');
        }
        return name.length;
      });
    return (await step('first')) + (await step('second'));
  });
  const [jobId = ''] = await records.enqueue(1);
  expect(await untilEnded(records, jobId)).toMatchObject({ status: 'done', attempt: 2 });
  expect(ran).toEqual(['first 1', 'second 1', 'second 2']);
  expect(await records.jobs.steps(jobId)).toEqual([]);
}, 20_000);

test('a handler that lost its lease is aborted within a heartbeat, and its writes are ignored', async () => {
  const records = await openInlineRecords();
  const begun = gate();
  const reached = gate();
  let reason: unknown;
  let runs = 0;
  const worker = await workerOf(
    records,
    async (_payload, { signal, steps }) => {
      runs += 1;
      if (runs > 1) return 'the next holder';
      begun.open();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      reason = signal.reason;
      reached.open();
      await steps.do('too late', {}, async () => 1);
      return 'too late';
    },
    { leaseMs: 500, concurrency: 1 },
  );
  const [jobId = ''] = await records.enqueue(1);
  await begun.opened;
  const { leaseToken } = await readJob(records, jobId);
  // What the reaper does for a worker that is not responding.
  const taken = await records.jobs.settle([
    { jobId, leaseToken, outcome: 'release', events: [], hadSteps: false },
  ]);
  expect(taken).toEqual([true]);
  await reached.opened;
  expect(reason).toMatchObject({ code: 'LEASE_LOST' });
  expect(await untilEnded(records, jobId)).toMatchObject({ status: 'done', leaseToken: leaseToken + 1 });
  await worker.stop(DRAIN_MS);
  const events = await records.jobs.events(records.tenantId, jobId, { after: 0, limit: 100 });
  const last = events.at(-1);
  expect(last?.data).toMatchObject({ status: 'done', result: 'the next holder' });
  expect(events.filter(({ message }) => message === 'done')).toHaveLength(1);
});

test('heartbeats keep a job that outlasts its lease under the same lease token', async () => {
  const records = await openInlineRecords();
  const begun = gate();
  const held = gate();
  await workerOf(
    records,
    async () => {
      begun.open();
      await held.opened;
    },
    { leaseMs: 600 },
  );
  const [jobId = ''] = await records.enqueue(1);
  await begun.opened;
  const { lockedUntil, leaseToken } = await readJob(records, jobId);
  const firstEnd = lockedUntil ?? Number.POSITIVE_INFINITY;
  // A heartbeat may be late on a busy machine.
  const isHeldPastFirstEnd = async () => {
    const until = (await readJob(records, jobId)).lockedUntil ?? 0;
    return Date.now() > firstEnd && until > Date.now();
  };
  await expect.poll(isHeldPastFirstEnd, { timeout: 10_000 }).toBe(true);
  expect(await readJob(records, jobId)).toMatchObject({ status: 'running', leaseToken, attempt: 1 });
  held.open();
  expect(await untilEnded(records, jobId)).toMatchObject({ status: 'done', leaseToken });
});

test('progress is written within half a second, long before the next heartbeat', async () => {
  const records = await openInlineRecords();
  /** On a busy machine this timer is as late as every other timer of the process. */
  let halfASecondLater = Promise.resolve(0);
  const reached = gate();
  const held = gate();
  await workerOf(records, async (_payload, { progress }) => {
    // The event of the start is already being written.
    progress({ percent: 40, message: 'two of five' });
    halfASecondLater = new Promise((resolve) => setTimeout(() => resolve(Date.now()), 500));
    reached.open();
    await held.opened;
  });
  const [jobId = ''] = await records.enqueue(1);
  await reached.opened;
  const find = async () => {
    const events = await records.jobs.events(records.tenantId, jobId, { after: 0, limit: 100 });
    return events.find(({ message }) => message === 'two of five');
  };
  await expect.poll(find, { timeout: 5_000, interval: 10 }).toMatchObject({ progressPct: 40 });
  expect((await find())?.createdAt).toBeLessThanOrEqual(await halfASecondLater);
  held.open();
  await untilEnded(records, jobId);
});

test('an unknown error is retried until the last attempt, then stored redacted', async () => {
  const records = await openInlineRecords();
  let runs = 0;
  const handler = async () => {
    runs += 1;
    throw new TypeError('connect to postgres://sonde:hunter2hunter2@db/x failed');
  };
  await workerOf(records, handler, { random: () => 0 });
  const [jobId = ''] = await records.enqueue(1);
  const job = await untilEnded(records, jobId);
  expect(job).toMatchObject({ status: 'failed', attempt: 3 });
  expect(runs).toBe(3);
  expect(job.lastError).toContain('connect to');
  const events = await records.jobs.events(records.tenantId, jobId, { after: 0, limit: 100 });
  expect(JSON.stringify([job, events])).not.toContain('hunter2');
});

test('jobs of a tenant at its limit start as others end, without waiting for a poll', async () => {
  const records = await openInlineRecords({ quotas: { jobsRunning: 3 } });
  let most = 0;
  let running = 0;
  const worker = await workerOf(
    records,
    async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    },
    { concurrency: 10, pollMs: 600_000 },
  );
  const ids = await records.enqueue(30);
  worker.wake();
  for (const id of ids) await untilEnded(records, id);
  expect(most).toBeLessThanOrEqual(3);
});

test('never runs more jobs than the concurrency, even if more were claimed ahead', async () => {
  const records = await openInlineRecords({ quotas: { jobsRunning: 100 } });
  let running = 0;
  let most = 0;
  let waited = 0;
  const worker = await workerOf(records, async () => {
    running += 1;
    most = Math.max(most, running);
    waited = Math.max(waited, worker.waiting);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  });
  const ids = await records.enqueue(200);
  worker.wake();
  for (const id of ids) await untilEnded(records, id);
  expect(waited).toBeGreaterThan(0);
  expect([most, worker.running]).toEqual([2, 0]);
});

test('another worker finds and completes the job of a dead worker', async () => {
  const records = await openInlineRecords();
  const [jobId = ''] = await records.enqueue(1);
  const dead = {
    workerId: 'dead',
    kinds: ['hello'],
    limit: 1,
    leaseMs: 0,
    runningMax: 9,
    after: null,
  } as const;
  await records.jobs.claim(dead);
  await workerOf(records, async () => undefined, { random: () => 0 });
  expect(await untilEnded(records, jobId)).toMatchObject({ status: 'done', attempt: 2 });
});

test('a worker can be started only once and stopped repeatedly', async () => {
  const records = await openInlineRecords();
  const worker = await workerOf(records, async () => undefined);
  await expect(worker.start()).rejects.toThrow('only once');
  await Promise.all([worker.stop(0), worker.stop(0)]);
  const [jobId = ''] = await records.enqueue(1);
  worker.wake();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await readJob(records, jobId)).toMatchObject({ status: 'queued', attempt: 0 });
});

/** Lets the workers of a job die until only the last attempt is left. */
async function makeSuspect({ jobs }: InlineRecords): Promise<void> {
  const claim = {
    workerId: 'dead',
    kinds: ['hello'],
    limit: 1,
    leaseMs: 0,
    runningMax: 9,
    after: null,
  } as const;
  for (let died = 0; died < 2; died++) {
    await jobs.claim(claim);
    await jobs.reap({ limit: 1, backoffFirstMs: 0, backoffMaxMs: 0, fractions: [0] });
  }
}

test('a job whose workers died runs alone on its last attempt, while other jobs run before and after', async () => {
  const records = await openInlineRecords();
  const [suspect = ''] = await records.enqueue(1);
  await makeSuspect(records);
  const others = await records.enqueue(12);
  const running = new Set<string>();
  const beside: number[] = [];
  let most = 0;
  const handler: JobHandler = async (_payload, { job }) => {
    running.add(job.jobId);
    most = Math.max(most, running.size);
    for (let n = 0; n < 5; n++) {
      if (running.has(suspect)) beside.push(running.size);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    running.delete(job.jobId);
  };
  await workerOf(records, handler, { concurrency: 4 });
  for (const id of [suspect, ...others])
    expect(await untilEnded(records, id)).toMatchObject({ status: 'done' });
  // A tenant leaves one slot to others.
  expect(most).toBe(3);
  expect(new Set(beside)).toEqual(new Set([1]));
  expect(await readJob(records, suspect)).toMatchObject({ attempt: 3 });
});

test('releases the jobs of a claim whose response was lost, without counting an attempt', async () => {
  const records = await openInlineRecords();
  let lost = 0;
  const jobs = {
    ...portOf(records.jobs),
    claim: async (request: Parameters<typeof records.jobs.claim>[0]) => {
      const claimed = await records.jobs.claim(request);
      if (claimed.jobs.length === 0 || lost++ > 0) return claimed;
      throw new SondeError('STORAGE_UNAVAILABLE', 'the connection was lost');
    },
  };
  const ids = await records.enqueue(2);
  await workerOf({ ...records, jobs }, async () => undefined);
  for (const id of ids) expect(await untilEnded(records, id)).toMatchObject({ status: 'done', attempt: 1 });
  expect(lost).toBeGreaterThan(1);
});

/** The store's methods as own fields, so that one can be replaced. */
function portOf(jobs: InlineRecords['jobs']): InlineRecords['jobs'] {
  const names = [
    'enqueue',
    'claim',
    'heldBy',
    'renew',
    'settle',
    'recordStep',
    'steps',
    'reap',
    'pullBack',
  ] as const;
  const more = ['cancel', 'retry', 'get', 'list', 'events', 'counts', 'prune'] as const;
  const bound = [...names, ...more].map((name) => [name, (jobs[name] as () => unknown).bind(jobs)]);
  return Object.fromEntries(bound) as InlineRecords['jobs'];
}
