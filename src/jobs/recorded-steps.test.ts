import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openInlineRecords } from '../../test/support/inline-records.js';
import { SondeError } from '../errors.js';
import { JOB_LIMITS } from './job-limits.js';
import type { JobStore } from './job-store.js';
import { pause, RecordedSteps } from './recorded-steps.js';

type StepStore = Pick<JobStore, 'steps' | 'recordStep'>;

/** Steps with a real store. The first call of `lost` fails on its way to the store or on its way back. */
async function stepsLosing(lost: keyof StepStore, onWay: 'there' | 'back') {
  const { jobs, enqueue } = await openInlineRecords();
  await enqueue(1);
  const claim = { workerId: 'w', kinds: ['hello'], limit: 1, leaseMs: 60_000, runningMax: 1 } as const;
  const [job] = (await jobs.claim({ ...claim, after: null })).jobs;
  if (!job) throw new Error('nothing was claimed');
  let calls = 0;
  const losing = async <T>(name: keyof StepStore, call: () => Promise<T>): Promise<T> => {
    const isLost = name === lost && calls++ === 0;
    if (isLost && onWay === 'there') throw new Error('no response');
    const response = await call();
    if (isLost) throw new Error('no response');
    return response;
  };
  return new RecordedSteps({
    store: {
      steps: (jobId) => losing('steps', () => jobs.steps(jobId)),
      recordStep: (step) => losing('recordStep', () => jobs.recordStep(step)),
    },
    lease: job,
    leaseMs: 60_000,
    signal: new AbortController().signal,
    emit: () => {},
    onLost: () => {},
  });
}

test.each([
  ['steps', 'there'],
  ['steps', 'back'],
  ['recordStep', 'there'],
  ['recordStep', 'back'],
] as const)('a step can be repeated after a call of %s was lost on its way %s', async (lost, onWay) => {
  const steps = await stepsLosing(lost, onWay);
  await expect(steps.do('one', {}, async () => 1)).rejects.toThrow('no response');
  expect(await steps.do('one', {}, async () => 1)).toBe(1);
  await expect(steps.do('one', {}, async () => 1)).rejects.toThrow('started twice');
});

/** Steps with a store in memory; `taken` is whether the lease is still held. */
function openSteps({ taken = true, known = [] as { name: string; result: string }[] } = {}) {
  const events: string[] = [];
  const written: unknown[] = [];
  const stop = new AbortController();
  let losses = 0;
  const steps = new RecordedSteps({
    store: {
      steps: async () => known,
      recordStep: async (step) => {
        written.push(step);
        return taken;
      },
    },
    lease: { jobId: 'job', leaseToken: 3 },
    leaseMs: 60_000,
    signal: stop.signal,
    emit: ({ type, message }) => void events.push(`${type} ${message}`),
    onLost: () => {
      losses += 1;
    },
  });
  return { steps, events, written, stop, losses: () => losses };
}

test('records a step under the lease and emits an event at its start and end', async () => {
  const { steps, events, written } = openSteps();
  expect(await steps.do('one', {}, async () => ({ at: new Date(0) }))).toEqual({
    at: '1970-01-01T00:00:00.000Z',
  });
  expect(written).toEqual([
    {
      jobId: 'job',
      leaseToken: 3,
      name: 'one',
      result: '{"at":"1970-01-01T00:00:00.000Z"}',
      leaseMs: 60_000,
    },
  ]);
  expect(events).toEqual(['step_started one', 'step_done one']);
  expect(await steps.do('nothing', {}, async () => undefined)).toBeNull();
});

test('does not rerun a recorded step and emits no event', async () => {
  const { steps, events, written } = openSteps({ known: [{ name: 'one', result: '7' }] });
  const run = vi.fn(async () => 8);
  expect(await steps.do('one', {}, run)).toBe(7);
  expect([run.mock.calls, events, written]).toEqual([[], [], []]);
});

test('a step that the store refuses loses the lease', async () => {
  const { steps, events, losses } = openSteps({ taken: false });
  await expect(steps.do('one', {}, async () => 1)).rejects.toMatchObject({ code: 'LEASE_LOST' });
  expect([losses(), events]).toEqual([1, ['step_started one']]);
});

test('limits names, results and the number of steps', async () => {
  const { steps, written } = openSteps();
  for (const name of ['', 'x'.repeat(JOB_LIMITS.stepNameChars + 1)]) {
    await expect(steps.do(name, {}, async () => 1)).rejects.toThrow('1 to 128 characters');
  }
  await steps.do('x'.repeat(JOB_LIMITS.stepNameChars), {}, async () =>
    'y'.repeat(JOB_LIMITS.stepResultChars - 2),
  );
  const large = steps.do('large', {}, async () => 'y'.repeat(JOB_LIMITS.stepResultChars - 1));
  await expect(large).rejects.toMatchObject({ code: 'JOB_TOO_LARGE' });
  expect(written).toHaveLength(1);
  const known = Array.from({ length: JOB_LIMITS.stepsPerJob }, (_, n) => ({ name: `s${n}`, result: '1' }));
  const full = openSteps({ known });
  await expect(full.steps.do('more', {}, async () => 1)).rejects.toMatchObject({ code: 'JOB_TOO_LARGE' });
  const almost = openSteps({ known: known.slice(1) });
  expect(await almost.steps.do('more', {}, async () => 1)).toBe(1);
  // The step that was just recorded counts too.
  await expect(almost.steps.do('one too many', {}, async () => 1)).rejects.toMatchObject({
    code: 'JOB_TOO_LARGE',
  });
  expect(await openSteps().steps.do('x', {}, async () => 1)).toBe(1);
});

describe('a step that fails', () => {
  const RETRIES = { limit: 3, delayMs: 100 } as const;

  async function waitsOf(backoff: 'constant' | 'linear' | 'exponential') {
    vi.useFakeTimers({ now: 0 });
    try {
      const tries: number[] = [];
      const run = async () => {
        tries.push(Date.now());
        throw new Error('reset');
      };
      const { steps } = openSteps();
      const work = expect(steps.do('one', { retries: { ...RETRIES, backoff } }, run)).rejects.toThrow(
        'reset',
      );
      await vi.advanceTimersByTimeAsync(10_000);
      await work;
      return tries;
    } finally {
      vi.useRealTimers();
    }
  }

  test.each([
    ['constant', [0, 100, 200, 300]],
    ['linear', [0, 100, 300, 600]],
    ['exponential', [0, 100, 300, 700]],
  ] as const)('is retried with %s delays up to its limit', async (backoff, at) => {
    expect(await waitsOf(backoff)).toEqual(at);
  });

  test('is not retried without retries, after a permanent failure or after an abort', async () => {
    const failing = async (thrown: unknown, options: object, stop?: AbortController) => {
      const opened = openSteps();
      let tries = 0;
      const run = async () => {
        tries += 1;
        if (stop) opened.stop.abort(new Error('called off'));
        throw thrown;
      };
      const rejection: unknown = await opened.steps.do('one', options, run).catch((each: unknown) => each);
      expect(rejection).toBe(stop ? opened.stop.signal.reason : thrown);
      return tries;
    };
    const retries = { retries: { limit: 3, delayMs: 1, backoff: 'constant' } };
    expect(await failing(new Error('x'), {})).toBe(1);
    expect(await failing(new SondeError('INVALID_REQUEST', 'x'), retries)).toBe(1);
    expect(await failing(new Error('x'), retries, new AbortController())).toBe(1);
    expect(await failing(new Error('x'), retries)).toBe(4);
  });

  test('times out, and stops waiting when aborted', async () => {
    const never = () => new Promise(() => undefined);
    await expect(openSteps().steps.do('one', { timeoutMs: 5 }, never)).rejects.toMatchObject({
      code: 'timeout',
    });
    const { steps, stop, events } = openSteps();
    const work = expect(steps.do('one', {}, never)).rejects.toThrow('called off');
    setTimeout(() => stop.abort(new Error('called off')), 5);
    await work;
    const before = events.length;
    await expect(steps.do('two', {}, async () => 1)).rejects.toThrow('called off');
    expect(events).toHaveLength(before);
  });

  test('does not start again if the abort comes as the wait ends', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { steps, stop } = openSteps();
    let tries = 0;
    const run = async () => {
      tries += 1;
      throw new Error('reset');
    };
    const options = { retries: { limit: 3, delayMs: 100, backoff: 'constant' as const } };
    const work = expect(steps.do('one', options, run)).rejects.toThrow('called off');
    await vi.advanceTimersByTimeAsync(0);
    setTimeout(() => stop.abort(new Error('called off')), 100);
    // Both timers fire before the step can continue.
    vi.advanceTimersByTime(100);
    await work;
    expect(tries).toBe(1);
  });

  test('waits at most a day, however often it failed', async () => {
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const tries: number[] = [];
    const run = async () => {
      tries.push(Date.now());
      throw new Error('reset');
    };
    const options = { retries: { limit: 24, delayMs: 1_000, backoff: 'exponential' as const } };
    const work = expect(openSteps().steps.do('one', options, run)).rejects.toThrow('reset');
    await vi.advanceTimersByTimeAsync(10 * JOB_LIMITS.delayMaxMs);
    await work;
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
    expect(waits.slice(16)).toEqual([65_536_000, ...Array.from({ length: 7 }, () => 86_400_000)]);
  });

  test('stops waiting between two attempts when aborted', async () => {
    const { steps, stop } = openSteps();
    const options = { retries: { limit: 1, delayMs: 1e6, backoff: 'constant' as const } };
    const work = expect(steps.do('one', options, () => Promise.reject(new Error('x')))).rejects.toThrow(
      'called off',
    );
    setTimeout(() => stop.abort(new Error('called off')), 5);
    await work;
  });
});

test.each<[string, (stop: AbortController) => Promise<unknown>]>([
  ['returns', async () => 1],
  ['throws', () => Promise.reject(new Error('reset'))],
  [
    'is aborted',
    (stop) => {
      stop.abort(new Error('called off'));
      return new Promise(() => undefined);
    },
  ],
])('a step that %s leaves no timer and no listener', async (_name, run) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { steps, stop } = openSteps();
  await steps.do('one', { timeoutMs: 1e6 }, () => run(stop)).catch(() => undefined);
  expect([vi.getTimerCount(), getEventListeners(stop.signal, 'abort')]).toEqual([0, []]);
});

describe('a pause', () => {
  test('ends after its time and leaves no listener', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { signal } = new AbortController();
    let isOver = false;
    const paused = pause(1_000, signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await paused;
    expect([isOver, getEventListeners(signal, 'abort')]).toEqual([true, []]);
  });

  test('is rejected by an abort before or during it, and leaves no timer', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const reason = new Error('called off');
    const stop = new AbortController();
    const paused = expect(pause(1_000, stop.signal)).rejects.toBe(reason);
    stop.abort(reason);
    await paused;
    await expect(pause(1_000, stop.signal)).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });
});
