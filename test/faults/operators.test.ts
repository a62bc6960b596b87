/** The small form of `operators.fault.ts`, for every run of the tests. */
import { expect, test } from 'vitest';
import { runClusterFaults } from './operators-cluster.js';
import { runPoison } from './operators-run.js';

test('jobs that kill their process fail no other job', async () => {
  const counts = await runPoison({ poison: 3, good: 60, leaseMs: 1_000 });
  expect(counts).toMatchObject({ goodDone: 60, goodFailed: 0, poisonFailed: 3 });
  expect(counts.hitsMax).toBeLessThanOrEqual(4);
}, 400_000);

test('a server and its workers outlive restarts of the database, cut connections and stalls', async () => {
  const counts = await runClusterFaults({ kills: 2, freezes: 1, fast: 2, immediate: 1, cuts: 10, stalls: 1 });
  expect(counts).toMatchObject({ unplannedExits: 0, lost: 0, endedTwice: 0, lateErrors: 0, slowReady: 0 });
  expect(counts.acknowledged).toBeGreaterThan(20);
}, 400_000);
