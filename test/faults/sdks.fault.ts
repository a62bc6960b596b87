import { test } from 'vitest';
import { report } from '../support/fault-report.js';
import { runSdks } from './sdks.js';

/** `SONDE_CASES` makes it shorter or longer, `SONDE_SEED` repeats a run. */
const ROUNDS = Number(process.env['SONDE_CASES'] ?? 30);
const SEED = Number(process.env['SONDE_SEED'] ?? 1_000_000);

test(`${ROUNDS} rounds of three SDKs with default retries survive eight faults`, async () => {
  report('sdks', { seed: SEED, rounds: ROUNDS, ...(await runSdks(ROUNDS, SEED)) });
});
