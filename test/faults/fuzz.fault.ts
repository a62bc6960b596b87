import process from 'node:process';
import { expect, test } from 'vitest';
import { runFuzz } from '../support/api-fuzz/run-fuzz.js';
import { report } from '../support/fault-report.js';

/** `npm run faults -- fuzz`. */
test('100,000 seeded requests get documented responses only', async () => {
  const figures = await runFuzz({ seed: Number(process.env['SONDE_SEED'] ?? 15), requests: 100_000 });
  report('fuzz', {
    ...figures,
    statuses: JSON.stringify(figures.statuses),
    problems: JSON.stringify(figures.problems),
    errorLines: figures.errorLines.length,
  });
  expect(figures.problems).toEqual({});
  expect(figures.errorLines).toEqual([]);
}, 3_600_000);
