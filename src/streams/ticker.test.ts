import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ACTS_PER_TURN } from '../loop-turns.js';
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

test('the timer starts again after a pause without deadlines', () => {
  const ticker = new Ticker();
  const acted: string[] = [];
  ticker.after(100, () => acted.push('first'));
  vi.advanceTimersByTime(1000);
  ticker.after(100, () => acted.push('second'))();
  ticker.after(100, () => acted.push('third'));
  vi.advanceTimersByTime(1000);
  expect(acted).toEqual(['first', 'third']);
});

test('cancelling a deadline leaves the others of its tick', () => {
  const ticker = new Ticker();
  const acted: string[] = [];
  const cancel = ticker.after(100, () => acted.push('cancelled'));
  ticker.after(100, () => acted.push('left'));
  cancel();
  cancel();
  vi.advanceTimersByTime(1000);
  expect([acted, vi.getTimerCount()]).toEqual([['left'], 0]);
});

test('stop() drops all deadlines; cancelling one of them later does not affect new ones', () => {
  const ticker = new Ticker();
  const acted: string[] = [];
  const cancel = ticker.after(100, () => acted.push('dropped'));
  ticker.after(900, () => acted.push('dropped too'));
  ticker.stop();
  expect(vi.getTimerCount()).toBe(0);
  ticker.after(100, () => acted.push('new'));
  cancel();
  vi.advanceTimersByTime(2000);
  expect([acted, vi.getTimerCount()]).toEqual([['new'], 0]);
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

test('many deadlines of one tick are spread over turns, unless they are cancelled or dropped meanwhile', async () => {
  const waiting: (() => void)[] = [];
  const ticker = new Ticker(() => new Promise((resolve) => void waiting.push(resolve)));
  const step = async () => {
    waiting.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  let acted = 0;
  const cancels = Array.from({ length: 3 * ACTS_PER_TURN + 1 }, () => ticker.after(100, () => acted++));
  vi.advanceTimersByTime(1000);
  expect(acted).toBe(ACTS_PER_TURN);
  cancels.at(-1)?.();
  await step();
  expect(acted).toBe(2 * ACTS_PER_TURN);
  ticker.stop();
  await step();
  expect([acted, vi.getTimerCount()]).toEqual([2 * ACTS_PER_TURN, 0]);
});
