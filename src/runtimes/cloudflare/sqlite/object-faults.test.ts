import { expect, test } from 'vitest';
import { SondeError } from '../../../errors.js';
import { objectFault } from './object-faults.js';

test.each([
  [new Error('database or disk is full: SQLITE_FULL'), 'STORAGE_FULL'],
  [new Error('disk I/O error: SQLITE_IOERR'), 'STORAGE_UNAVAILABLE'],
  ['Durable Object storage operation exceeded timeout', 'STORAGE_UNAVAILABLE'],
  [new SondeError('STORAGE_ERROR', 'a row can hold at most 1048576 bytes'), 'STORAGE_ERROR'],
])('maps %s to %s', (thrown, code) => {
  expect(objectFault(thrown).code).toBe(code);
});
