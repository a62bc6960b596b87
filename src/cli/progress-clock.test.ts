import { expect, test } from 'vitest';
import { timeLeft } from './progress-clock.js';

test.each([
  [10_000, 0.5, '10 s left'],
  [60_000, 0.25, '3 min left'],
  [3_600_000, 0.3, '2 h 20 min left'],
  [4_000, 0.99, '1 s left'],
  [1_000, 0.5, ''],
  [10_000, 0.01, ''],
  [10_000, 1, ''],
])('after %i ms with %f done, shows "%s"', (spent, share, text) => {
  expect(timeLeft(1000, 1000 + spent, share)).toBe(text);
});
