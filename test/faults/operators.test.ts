/** The short version of `operators.fault.ts`, for every test run. */
import { expect, test } from 'vitest';
import { runClusterFaults } from './operators-cluster.js';
import { runClockSteps } from './operators-embedded.js';
import { runPoison } from './operators-run.js';

test('jobs that kill their process fail no other job', async () => {
  const counts = await runPoison({ poison: 2, good: 30, leaseMs: 1_000 });
  expect(counts).toMatchObject({ goodDone: 30, goodFailed: 0, poisonFailed: 2 });
  expect(counts.hitsMax).toBeLessThanOrEqual(4);
}, 400_000);

test('a server and its workers survive database restarts, cut connections and stalls', async () => {
  const counts = await runClusterFaults({ kills: 2, freezes: 1, fast: 2, immediate: 1, cuts: 10, stalls: 1 });
  expect(counts).toMatchObject({ unplannedExits: 0, lost: 0, endedTwice: 0, wrongErrors: 0, wrongReady: 0 });
  expect(counts.acknowledged).toBeGreaterThan(20);
}, 400_000);

test('jobs continue after clock changes in both directions, and across a kill', async () => {
  const counts = await runClockSteps({ each: 2, kills: 1 });
  expect(counts).toMatchObject({ back: 2, forward: 2, kills: 1, lost: 0, endedTwice: 0 });
}, 400_000);
