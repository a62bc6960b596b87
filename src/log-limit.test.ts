import { expect, test } from 'vitest';
import { LogLimit } from './log-limit.js';

test('passes one line per key and period, and counts the others', () => {
  let now = 0;
  const limit = new LogLimit({ everyMs: 1_000, monotonic: () => now });
  expect([limit.pass('a'), limit.pass('a'), limit.pass('b'), limit.pass('a')]).toEqual([
    {},
    undefined,
    {},
    undefined,
  ]);
  now = 1_000;
  expect([limit.pass('a'), limit.pass('b')]).toEqual([{ repeated: 2 }, {}]);
});
