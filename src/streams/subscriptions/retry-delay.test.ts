import { expect, test } from 'vitest';
import { RETRY_MS, retryMs } from './retry-delay.js';

test('the maximum delay doubles up to its bound, and jitter covers all of it', () => {
  const almostOne = () => 1 - Number.EPSILON;
  expect([0, 1, 2, 9, 10, 1000].map((attempts) => retryMs(attempts, almostOne) + 1)).toEqual([
    1_000,
    2_000,
    4_000,
    512_000,
    RETRY_MS.max,
    RETRY_MS.max,
  ]);
  expect(retryMs(10, () => 0)).toBe(0);
  expect(retryMs(1, () => 0.5)).toBe(1_000);
});
