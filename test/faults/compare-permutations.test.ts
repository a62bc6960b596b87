import { test } from 'vitest';
import { expectRearrangementsChangeNothing } from './compare-permutations.js';

/** `npm run faults -- compare-permutations` makes 10,000. */
const RUNS = 1_000;

test(`${RUNS} rearrangements of header lines change nothing`, () => {
  expectRearrangementsChangeNothing(RUNS, 20_260_303);
});
