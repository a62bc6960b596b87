import { test } from 'vitest';
import { expectRearrangementsChangeNothing } from './compare-permutations.js';

/** `SONDE_CASES` makes it shorter or longer, `SONDE_SEED` repeats a run. */
const RUNS = Number(process.env['SONDE_CASES'] ?? 10_000);
const SEED = Number(process.env['SONDE_SEED'] ?? 20_260_303);

test(`${RUNS} rearrangements of header lines change nothing`, () => {
  expectRearrangementsChangeNothing(RUNS, SEED);
});
