import { expect, test } from 'vitest';
import { keepingLog, type LogLine } from '../test/support/app-for-tests.js';
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

/** Lets time pass, and the step that falls due in it end. */
async function turn(timers: ManualTimers, ms: number): Promise<void> {
  timers.pass(ms);
  for (let n = 0; n < 10; n++) await Promise.resolve();
}

test('it works until nothing is due, rests after each step as long as that took, and then waits', async () => {
  let due = 120;
  const began: number[] = [];
  const { sweep, timers } = sweepOf(async () => {
    began.push(timers.now());
    await Promise.resolve();
    const removed = Math.min(due, 50);
    due -= removed;
    // As many milliseconds as rows.
    timers.pass(removed);
    return removed;
  });
  await turn(timers, EVERY_MS - 1);
  expect([began, sweep.backlogMs]).toEqual([[], 0]);
  await turn(timers, 1);
  expect(sweep.backlogMs).toBe(50);
  await turn(timers, 50);
  await turn(timers, 50);
  expect([due, timers.set]).toEqual([0, [20]]);
  await turn(timers, 20);
  expect(began).toEqual([10_000, 10_100, 10_200, 10_240]);
  expect([sweep.removed, sweep.backlogMs, timers.set]).toEqual([120, 0, [EVERY_MS]]);
});

test('nothing is removed while it may not run, and it looks again', async () => {
  let may = false;
  let steps = 0;
  const step = async () => {
    steps++;
    return 0;
  };
  const { sweep, timers } = sweepOf(step, { mayRun: () => may });
  await turn(timers, EVERY_MS);
  expect(steps).toBe(0);
  may = true;
  await turn(timers, EVERY_MS);
  expect(steps).toBe(1);
  await sweep.stop();
  expect(timers.set).toEqual([]);
});

test('a step that fails is logged and tried again at the next look', async () => {
  const { timers, lines } = sweepOf(() => Promise.reject(new Error('the disk is full')));
  await turn(timers, EVERY_MS);
  expect(lines.map(({ message }) => message)).toEqual(['a sweep failed; retrying']);
  expect(timers.set).toEqual([EVERY_MS]);
});

test('a stop waits for the step that is under way, and none follows it', async () => {
  let end: (removed: number) => void = () => {};
  const { sweep, timers } = sweepOf(() => new Promise((resolve) => (end = resolve)));
  await turn(timers, EVERY_MS);
  let stopped = false;
  const stopping = sweep.stop().then(() => (stopped = true));
  await turn(timers, 0);
  expect(stopped).toBe(false);
  end(50);
  await stopping;
  expect(timers.set).toEqual([]);
});

test('sweeps that share a store do not look at the same time', () => {
  const waits = [0, 0.25, 0.75].map((random) => sweepOf(async () => 0, { random: () => random }).timers.set);
  expect(waits).toEqual([[5_000], [7_500], [12_500]]);
});

test('a step that takes all that was due has no backlog, though the next finds more', async () => {
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
  await turn(timers, EVERY_MS);
  for (let n = 0; n < 4; n++) {
    backlogs.push(sweep.backlogMs);
    await turn(timers, 50);
  }
  expect(backlogs.map((ms) => ms > 0)).toEqual([false, true, true, false]);
});

test('the longer it has had a backlog, the less it rests', async () => {
  const { sweep, timers } = sweepOf(async () => {
    await Promise.resolve();
    timers.pass(1_000);
    return 50;
  });
  await turn(timers, EVERY_MS);
  const rests: number[] = [];
  while (sweep.backlogMs < 120_000) {
    const [rest = 0] = timers.set;
    rests.push(rest);
    await turn(timers, rest);
  }
  expect(rests[0]).toBe(1_000);
  expect(rests.at(-1)).toBe(100);
  expect(rests).toEqual(rests.toSorted((a, b) => b - a));
});
