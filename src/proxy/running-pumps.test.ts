import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PumpBench, settle } from '../../test/support/pump-bench.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';
import type { OrphanPolicy } from './orphan-policy.js';
import type { PumpTotals } from './pump.js';
import { RunningPumps, type WritePace } from './running-pumps.js';
import { type Ending, failed } from './upstream-outcome.js';

const bench = new PumpBench();
beforeAll(() => bench.open());
beforeEach(() => bench.begin());
afterEach(() => bench.service.stop());
afterAll(() => bench.close());

const ORPHAN_MS = 30_000;
let ends: [Ending, PumpTotals][] = [];

function start(orphan: OrphanPolicy, pace: WritePace | null = null): RunningPumps {
  ends = [];
  const pumps = new RunningPumps(bench.deps, pace, (...end) => void ends.push(end));
  pumps.start(bench.source, orphan);
  return pumps;
}

const isWatched = () => bench.timers.set.includes(ORPHAN_MS);

test('a response is stopped when it has had no reader for as long as its policy allows', async () => {
  const pumps = start({ cancelAfterMs: ORPHAN_MS });
  const [leave, leaveToo] = [pumps.reading(bench.streamId), pumps.reading(bench.streamId)];
  expect(isWatched()).toBe(false);
  leave();
  // A reader leaves only once.
  leave();
  expect(isWatched()).toBe(false);
  leaveToo();
  expect(isWatched()).toBe(true);
  bench.timers.pass(ORPHAN_MS - 1);
  await settle();
  expect(bench.body.canceled).toBe(0);
  bench.timers.pass(1);
  await settle();
  expect(bench.body.canceled).toBeGreaterThan(0);
  expect((await bench.stored()).outcome).toBe('aborted');
});

test('a response without a policy is never stopped for want of readers', async () => {
  const pumps = start(null);
  pumps.reading(bench.streamId)();
  bench.timers.pass(ORPHAN_MS);
  await settle();
  expect(pumps.size).toBe(1);
});

test('counts the pumps of a tenant while they run, and reports how each ended', async () => {
  const pumps = start({ cancelAfterMs: ORPHAN_MS });
  expect([pumps.size, pumps.countOf('t'), pumps.countOf('u')]).toEqual([1, 1, 0]);
  const leave = pumps.reading(bench.streamId);
  bench.body.say('done');
  bench.body.end();
  await pumps.quiet();
  expect([pumps.size, pumps.countOf('t')]).toEqual([0, 0]);
  expect(ends).toMatchObject([[{ outcome: 'completed' }, { bytes: 4, records: 1 }]]);
  leave();
  expect(bench.timers.set).toEqual([]);
});

test('a whole response counts like a pump that has ended', () => {
  const pumps = start(null);
  pumps.countWhole(0);
  pumps.countWhole(1);
  expect(ends.map(([{ outcome }, totals]) => [outcome, totals])).toEqual([
    ['completed', { bytes: 0, records: 0 }],
    ['completed', { bytes: 1, records: 1 }],
  ]);
});

test('small writes are paced by whether somebody reads', async () => {
  const pumps = start(null, { readMs: 5, unreadMs: 500 });
  bench.body.say('a');
  await settle();
  bench.body.say('b');
  await settle();
  expect([bench.writes, bench.timers.set]).toEqual([[1], [500, 600_000]]);
  pumps.reading(bench.streamId);
  expect(bench.timers.set).toEqual([5, 600_000]);
});

test('a stopping server ends them as failed, and a stream without a pump is left alone', async () => {
  const pumps = start(null);
  await pumps.stop('proxy/other');
  await pumps.leaveAll();
  expect(await bench.stored()).toMatchObject({ closed: true, ...failed('SERVER_STOPPED') });
});

test('a response that never had a reader is watched from its start', async () => {
  const pumps = start({ cancelAfterMs: ORPHAN_MS });
  expect(isWatched()).toBe(true);
  bench.timers.pass(ORPHAN_MS);
  await pumps.quiet();
  expect((await bench.stored()).outcome).toBe('aborted');
});

test('a response that ends without a reader leaves no timer', async () => {
  const pumps = start({ cancelAfterMs: ORPHAN_MS });
  bench.body.end();
  await pumps.quiet();
  expect([pumps.size, bench.timers.set]).toEqual([0, []]);
});

test('the pace is the slow one again when the last reader has left', async () => {
  const pumps = start(null, { readMs: 5, unreadMs: 500 });
  const leave = pumps.reading(bench.streamId);
  bench.body.say('a');
  await settle();
  leave();
  bench.body.say('b');
  await settle();
  expect([bench.writes, bench.timers.set]).toEqual([[1], [500, 600_000]]);
});

test('stops one response with the given ending', async () => {
  const pumps = start(null);
  await pumps.stop(bench.streamId, failed('UPSTREAM_RESET'));
  expect(await bench.stored()).toMatchObject(failed('UPSTREAM_RESET'));
});

test('the end of a pump leaves the pump of a stream that was created again in place', async () => {
  const pumps = start(null);
  const first = bench.body;
  bench.body = new ScriptedBody();
  pumps.start(bench.source, null);
  first.end();
  await expect.poll(() => ends.length).toBe(1);
  expect(pumps.size).toBe(1);
  await pumps.stop(bench.streamId);
  expect(bench.body.canceled).toBeGreaterThan(0);
});
