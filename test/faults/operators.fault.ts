import { expect, test } from 'vitest';
import { report } from '../support/fault-report.js';
import { runClusterFaults } from './operators-cluster.js';
import { runClockSteps, runFolderGone, runFullDisk, runKills, runLateMount } from './operators-embedded.js';
import { runPoison } from './operators-run.js';

/** `npm run faults -- operators`. `SONDE_OPERATORS=0.1` runs a tenth of each fault. */
const share = Number(process.env['SONDE_OPERATORS'] ?? 1);
const some = (count: number) => Math.max(1, Math.round(count * share));

const NOTHING_LOST = { lost: 0, endedTwice: 0 };

test('on PostgreSQL every job ends once, and no process exits on its own', async () => {
  const counts = await runClusterFaults({
    kills: some(100),
    freezes: some(100),
    fast: some(20),
    immediate: some(20),
    cuts: some(100),
    stalls: some(20),
  });
  report('operators, PostgreSQL', counts);
  expect(counts).toMatchObject({ ...NOTHING_LOST, unplannedExits: 0, wrongErrors: 0, wrongReady: 0 });
  expect(counts.slowestErrorMs).toBeLessThan(6_000);
  expect(counts.slowestReadyMs).toBeLessThan(2_000);
});

test('embedded, every acknowledged job ends once and every append is read once across kills', async () => {
  const counts = await runKills(some(100));
  report('operators, embedded kills', counts);
  expect(counts).toMatchObject({ ...NOTHING_LOST, wrongStreams: 0 });
});

test('jobs continue within seconds of a clock change', async () => {
  const counts = await runClockSteps({ each: some(20), kills: some(5) });
  report('operators, clock', counts);
  expect(counts).toMatchObject(NOTHING_LOST);
  expect(counts.slowestMs).toBeLessThan(30_000);
});

test('poison jobs fail no other job', async () => {
  const counts = await runPoison({ poison: 3, good: 60, leaseMs: 1_000 });
  report('operators, poison', counts);
  expect(counts).toMatchObject({ goodFailed: 0, goodDone: 60, poisonFailed: 3 });
});

test('a full disk is reported and recovers, and a missing folder accepts nothing', async () => {
  const disk = await runFullDisk();
  report('operators, full disk', { ...disk, named: String(disk.named), kept: String(disk.kept) });
  expect(disk).toEqual({ readyWhileFull: 503, named: true, kept: true });
  const gone = await runFolderGone();
  report('operators, folder', gone);
  expect(gone).toEqual({ before: '202,201', away: '503,503', back: '202,201', removed: '503,503' });
  const late = await runLateMount();
  report('operators, late mount', late);
  expect(late).toEqual({ before: 201, late: 503, kept: 200 });
});
