// Runs before each test file during a mutation run and records which file runs, and whether its tests have started.
// Module code runs once per worker when it is loaded, so it does not show which files depend on it.
import process from 'node:process';
import { beforeAll, expect } from 'vitest';
import { FILE_VARIABLE, PHASE_VARIABLE } from './probed-text.mjs';

process.env[FILE_VARIABLE] = expect.getState().testPath ?? '';
process.env[PHASE_VARIABLE] = 'load';
// One set per file: a place that ran in an earlier file counts again.
Reflect.set(globalThis, '__sondeSeen', new Set());

beforeAll(() => {
  process.env[PHASE_VARIABLE] = 'run';
});
