import { expect, test } from 'vitest';
import { runFuzz } from '../support/api-fuzz/run-fuzz.js';
import { report } from '../support/fault-report.js';

test('seeded requests over all operations get documented responses only', async () => {
  const { requests, operations, problems, errorLines } = await runFuzz({ seed: 1, requests: 3_000 });
  report('fuzz', { requests, operations });
  expect(problems).toEqual({});
  expect(errorLines).toEqual([]);
}, 120_000);
