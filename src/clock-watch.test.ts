import { expect, test } from 'vitest';
import { ClockWatch } from './clock-watch.js';

const HOUR_MS = 3_600_000;

function createWatch() {
  const at = { wall: 1_000_000, monotonic: 5 };
  const watch = new ClockWatch({ wall: () => at.wall, monotonic: () => at.monotonic });
  const pass = (ms: number, driftMs = 0) => {
    at.monotonic += ms;
    at.wall += ms + driftMs;
  };
  return { watch, pass };
}

test('a step in either direction is reported once, with its size', () => {
  const { watch, pass } = createWatch();
  pass(60_000);
  expect(watch.takeStep()).toBe(0);
  pass(10, -HOUR_MS);
  expect(watch.takeStep()).toBe(-HOUR_MS);
  expect(watch.takeStep()).toBe(0);
  pass(10, 90_000);
  expect(watch.takeStep()).toBe(90_000);
});

test('a gradually corrected clock does not step', () => {
  const { watch, pass } = createWatch();
  for (let n = 0; n < 1_000; n++) {
    pass(1_000, 0.5);
    expect(watch.takeStep()).toBe(0);
  }
});

test('the clocks agree from the start or the last step on', () => {
  const { watch, pass } = createWatch();
  pass(HOUR_MS);
  expect(watch.agreedMs()).toBe(HOUR_MS);
  expect(watch.hasSteppedWithin(2 * HOUR_MS)).toBe(false);
  pass(1_000, 31 * 24 * HOUR_MS);
  expect(watch.agreedMs()).toBe(0);
  pass(HOUR_MS - 1);
  expect(watch.agreedMs()).toBe(HOUR_MS - 1);
  expect([watch.hasSteppedWithin(HOUR_MS), watch.hasSteppedWithin(HOUR_MS - 1)]).toEqual([true, false]);
});
