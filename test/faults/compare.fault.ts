import { expect, test } from 'vitest';
import { openPlantedSides } from '../support/planted-drift/planted-sides.js';
import { expectClean, expectFound, PLANTED_CODES } from './compare-run.js';

const RUNS = 100;

/** `npm run faults -- compare`. */
test(`every code is found, and clean pairs compare clean, in ${RUNS} of ${RUNS} runs`, async () => {
  const sides = await openPlantedSides();
  const misses: string[] = [];
  const attempt = async (name: string, act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      misses.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  try {
    for (let run = 1; run <= RUNS; run += 1) {
      for (const code of PLANTED_CODES) await attempt(`run ${run} ${code}`, () => expectFound(code, sides));
      for (const name of ['page', 'api'] as const)
        await attempt(`run ${run} clean ${name}`, () => expectClean(name, sides));
      process.stderr.write(`compare: ${run} of ${RUNS} runs, ${misses.length} misses\n`);
    }
  } finally {
    await sides.close();
  }
  expect(misses).toEqual([]);
});
