import { afterAll, beforeAll, expect, test } from 'vitest';
import { JobsUnderFaults, runJobsUnderFaults } from './jobs-run.js';

/** The short version of `jobs.fault.ts`, for every test run. */
test('every job ends once, whatever dies meanwhile', async () => {
  const summary = await runJobsUnderFaults({
    workers: 4,
    concurrency: 4,
    jobs: 200,
    leaseMs: 1_000,
    kills: 6,
    zombies: 2,
    restarts: 1,
    patienceMs: 150_000,
  });
  expect(summary).toContain('200 jobs done once');
}, 240_000);

const NOBODY = {
  workers: 0,
  concurrency: 1,
  jobs: 0,
  leaseMs: 1_000,
  kills: 0,
  zombies: 0,
  restarts: 0,
  patienceMs: 0,
};

/** Runs one job at a time. */
let under: JobsUnderFaults;
beforeAll(async () => {
  under = await JobsUnderFaults.open(NOBODY);
});
afterAll(() => under.stop());

test('a job whose worker is killed continues after the last recorded step', async () => {
  const { attempts, job, steps } = await under.runDeadly({ ms: 1, steps: 2 }, 3);
  expect(attempts).toBe(1);
  expect(job).toMatchObject({ status: 'done', attempt: 2 });
  expect(steps).toEqual([
    ['step 0', 'step 1'],
    ['step 2', 'step 3'],
  ]);
}, 400_000);

test('a job that kills its worker ends as poison when its attempts are used up', async () => {
  const { attempts, job } = await under.poison(2);
  expect(attempts).toBe(2);
  expect(job).toMatchObject({ status: 'failed', attempt: 2 });
  expect(job['last_error']).toContain('no attempts are left');
}, 400_000);
