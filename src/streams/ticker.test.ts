import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Ticker } from './ticker.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('calls back once, never early and at most two ticks late', () => {
  const ticker = new Ticker();
  const acted: number[] = [];
  const startedAt = Date.now();
  for (const ms of [0, 100, 250, 5000]) ticker.after(ms, () => acted.push(Date.now() - startedAt - ms));
  vi.advanceTimersByTime(10_000);
  expect(acted).toHaveLength(4);
  for (const late of acted) expect(late).toBeGreaterThanOrEqual(0);
  for (const late of acted) expect(late).toBeLessThanOrEqual(200);
});

test('any number of deadlines share one timer, which stops when nothing waits', () => {
  const ticker = new Ticker();
  const cancels = Array.from({ length: 1000 }, (_, i) => ticker.after(i * 10, () => {}));
  expect(vi.getTimerCount()).toBe(1);
  for (const cancel of cancels) cancel();
  expect(vi.getTimerCount()).toBe(0);
  ticker.after(100, () => {});
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(0);
});

test('a cancelled deadline does not fire, even if cancelled during the same tick', () => {
  const ticker = new Ticker();
  const acted: string[] = [];
  let cancelSecond = () => {};
  ticker.after(100, () => {
    acted.push('first');
    cancelSecond();
  });
  cancelSecond = ticker.after(100, () => acted.push('second'));
  vi.advanceTimersByTime(1000);
  expect(acted).toEqual(['first']);
});
