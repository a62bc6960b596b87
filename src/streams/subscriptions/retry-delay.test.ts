import { expect, test } from 'vitest';
import { retryMs } from './retry-delay.js';

test('the maximum delay doubles up to its bound, and jitter covers all of it', () => {
  const almostOne = () => 1 - Number.EPSILON;
  expect([0, 1, 2, 9, 10, 10_000].map((attempts) => retryMs(attempts, almostOne) + 1)).toEqual([
    1_000, 2_000, 4_000, 512_000, 900_000, 900_000,
  ]);
  expect(retryMs(10, () => 0)).toBe(0);
  expect(retryMs(1, () => 0.5)).toBe(1_000);
});
