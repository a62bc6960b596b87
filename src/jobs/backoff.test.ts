import { expect, test } from 'vitest';
import { backoffCeilingMs, backoffMs } from './backoff.js';

const BACKOFF = { firstMs: 1000, maxMs: 300_000 };

test('doubles with every attempt up to the maximum, for any number of attempts', () => {
  expect([1, 2, 3, 9, 10, 1000].map((attempt) => backoffCeilingMs(attempt, BACKOFF))).toEqual([
    1000, 2000, 4000, 256_000, 300_000, 300_000,
  ]);
});

test('full jitter spreads the delay between zero and the ceiling', () => {
  expect(backoffMs(3, BACKOFF, 0)).toBe(0);
  expect(backoffMs(3, BACKOFF, 0.5)).toBe(2000);
  expect(backoffMs(3, BACKOFF, 0.9999)).toBeLessThan(4000);
});
