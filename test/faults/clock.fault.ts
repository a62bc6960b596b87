import { expect, test } from 'vitest';
import { findFaketime } from '../support/fake-time.js';
import { report } from '../support/fault-report.js';
import { runClockSteps } from './clock-run.js';

/** `npm run faults -- clock`; needs libfaketime. `SONDE_CLOCK=0.1` runs a tenth of the steps. */
const steps = Math.max(1, Math.round(100 * Number(process.env['SONDE_CLOCK'] ?? 1)));
const SEED = 20261119;
/** The longest step lasts for five minutes. */
const LONGER = { 10: 10, 30: 20, 50: 300, 70: 60 };

test.each(['SQLite', 'PostgreSQL'] as const)(
  'on %s, nothing that is not due is gone and nothing is sent twice while the clock is set and set back',
  async (engine) => {
    expect(findFaketime(), 'libfaketime: apt-get install faketime').toBeDefined();
    const { wrong, ...counts } = await runClockSteps({ engine, steps, seed: SEED, longer: LONGER });
    report(`clock, ${engine}`, { ...counts, wrong: wrong.length });
    expect(wrong).toEqual([]);
  },
);
