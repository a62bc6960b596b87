import { expect, test } from 'vitest';
import { keepingLog, type LogLine } from '../test/support/keeping-log.js';
import { ManualTimers } from '../test/support/manual-timers.js';
import { PacedSweep, type SweepOptions } from './paced-sweep.js';

const EVERY_MS = 10_000;

function sweepOf(step: SweepOptions['step'], options: Partial<SweepOptions> = {}) {
  const timers = new ManualTimers(0);
  const lines: LogLine[] = [];
  const log = keepingLog(lines);
  const { now: monotonic, after } = timers;
  const sweep = new PacedSweep({ name: 'rows', step, everyMs: EVERY_MS, log, monotonic, after, ...options });
  sweep.start();
  return { sweep, timers, lines };
}

/** Advances time and lets a step that becomes due finish. */
async function advance(timers: ManualTimers, ms: number): Promise<void> {
  timers.pass(ms);
  for (let n = 0; n < 10; n++) await Promise.resolve();
}

test('runs until nothing is due, resting after each step as long as it took', async () => {
  let due = 120;
  const began: number[] = [];
  const { sweep, timers } = sweepOf(async () => {
    began.push(timers.now());
    await Promise.resolve();
    const removed = Math.min(due, 50);
    due -= removed;
    // Takes one millisecond per row.
    timers.pass(removed);
    return removed;
  });
  await advance(timers, EVERY_MS - 1);
  expect([began, sweep.backlogMs]).toEqual([[], 0]);
  await advance(timers, 1);
  expect(sweep.backlogMs).toBe(50);
  await advance(timers, 50);
  await advance(timers, 50);
  expect([due, timers.set]).toEqual([0, [20]]);
  await advance(timers, 20);
  expect(began).toEqual([10_000, 10_100, 10_200, 10_240]);
  expect([sweep.removed, sweep.backlogMs, timers.set]).toEqual([120, 0, [EVERY_MS]]);
});

test('removes nothing while it may not run, and tries again later', async () => {
  let mayRun = false;
  let steps = 0;
  const step = async () => {
    steps++;
    return 0;
  };
  const { sweep, timers } = sweepOf(step, { mayRun: () => mayRun });
  await advance(timers, EVERY_MS);
  expect(steps).toBe(0);
  mayRun = true;
  await advance(timers, EVERY_MS);
  expect(steps).toBe(1);
  await sweep.stop();
  expect(timers.set).toEqual([]);
});

test('a failed step is logged and retried at the next interval', async () => {
  const { timers, lines } = sweepOf(() => Promise.reject(new Error('the disk is full')));
  await advance(timers, EVERY_MS);
  expect(lines.map(({ message }) => message)).toEqual(['a sweep failed; retrying']);
  expect(timers.set).toEqual([EVERY_MS]);
});

test('a stop waits for the running step, and no other follows', async () => {
  let end: (removed: number) => void = () => {};
  const { sweep, timers } = sweepOf(() => new Promise((resolve) => (end = resolve)));
  await advance(timers, EVERY_MS);
  let stopped = false;
  const stopping = sweep.stop().then(() => (stopped = true));
  await advance(timers, 0);
  expect(stopped).toBe(false);
  end(50);
  await stopping;
  expect(timers.set).toEqual([]);
});

test('sweeps that share a store do not start at the same time', () => {
  const waits = [0, 0.25, 0.75].map((random) => sweepOf(async () => 0, { random: () => random }).timers.set);
  expect(waits).toEqual([[5_000], [7_500], [12_500]]);
});

test('a step that removes everything due has no backlog, even if the next finds more', async () => {
  const due = [5, 50, 50, 5];
  const { sweep, timers } = sweepOf(
    async () => {
      const removed = due.shift() ?? 0;
      timers.pass(removed);
      return removed;
    },
    { stepMax: 50 },
  );
  const backlogs: number[] = [];
  await advance(timers, EVERY_MS);
  for (let n = 0; n < 4; n++) {
    backlogs.push(sweep.backlogMs);
    await advance(timers, 50);
  }
  expect(backlogs.map((ms) => ms > 0)).toEqual([false, true, true, false]);
});

test('rests get shorter the longer there is a backlog', async () => {
  const { sweep, timers } = sweepOf(async () => {
    await Promise.resolve();
    timers.pass(1_000);
    return 50;
  });
  await advance(timers, EVERY_MS);
  const rests: number[] = [];
  while (sweep.backlogMs < 120_000) {
    const [rest = 0] = timers.set;
    rests.push(rest);
    await advance(timers, rest);
  }
  expect(rests[0]).toBe(1_000);
  expect(rests.at(-1)).toBe(100);
  expect(rests).toEqual(rests.toSorted((a, b) => b - a));
});
