import { test } from 'vitest';
import { report } from '../support/fault-report.js';
import { resumeRepeatedly } from './proxy-resume.js';

/** `SONDE_CASES` makes it shorter or longer, `SONDE_SEED` repeats a run. */
const CASES = Number(process.env['SONDE_CASES'] ?? 20_000);
const SEED = Number(process.env['SONDE_SEED'] ?? 1_000_000);

test(`${CASES} random chunkings, drops, positions and modes are byte-exact`, async () => {
  const { byMode, ...rest } = await resumeRepeatedly(CASES, SEED);
  report('proxy-resume', { seed: SEED, ...rest, ...byMode, wrong: 0 });
});
