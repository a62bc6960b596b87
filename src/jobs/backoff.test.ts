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

test('stops doubling after 40 times, so that the delay stays a number', () => {
  const unbounded = { firstMs: 1, maxMs: Number.POSITIVE_INFINITY };
  expect([40, 41, 42, 5000].map((attempt) => backoffCeilingMs(attempt, unbounded))).toEqual([
    2 ** 39,
    2 ** 40,
    2 ** 40,
    2 ** 40,
  ]);
});
