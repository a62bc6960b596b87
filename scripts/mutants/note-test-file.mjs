// Runs before each test file while mutants are looked for: says which file runs, and whether its tests have begun. What
// modules do while they are loaded happens once per worker, so it does not show which files depend on it.
import process from 'node:process';
import { beforeAll, expect } from 'vitest';
import { FILE_VARIABLE, PHASE_VARIABLE } from './probed-text.mjs';

process.env[FILE_VARIABLE] = expect.getState().testPath ?? '';
process.env[PHASE_VARIABLE] = 'load';
// One set per file: a place that has run in an earlier one counts again.
Reflect.set(globalThis, '__sondeSeen', new Set());

beforeAll(() => {
  process.env[PHASE_VARIABLE] = 'run';
});
