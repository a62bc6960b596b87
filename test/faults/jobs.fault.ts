import { test } from 'vitest';
import { runJobsUnderFaults } from './jobs-run.js';

/** `npm run faults -- jobs`. */
test('20,000 jobs end once across 500 kills, 200 zombies and 20 database restarts', async () => {
  const summary = await runJobsUnderFaults({
    workers: 16,
    concurrency: 4,
    jobs: 20_000,
    leaseMs: 2_000,
    kills: 500,
    zombies: 200,
    restarts: 20,
    patienceMs: 7_000_000,
  });
  process.stderr.write(`${summary}\n`);
}, 7_200_000);
