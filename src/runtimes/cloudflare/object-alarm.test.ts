import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ObjectAlarm } from './object-alarm.js';

const NOW = 1_000_000;
/** The time that the platform's alarm was last set to. */
let platformAt: number | null;
let settings: number;

function openAlarm(): ObjectAlarm {
  const set = async (at: number | null) => {
    platformAt = at;
    settings++;
  };
  return new ObjectAlarm({
    getAlarm: async () => platformAt,
    setAlarm: (at: number) => set(at),
    deleteAlarm: () => set(null),
  } as unknown as ConstructorParameters<typeof ObjectAlarm>[0]);
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  platformAt = null;
  settings = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

test('the earliest of several wakes wins', () => {
  const alarm = openAlarm();
  for (const at of [NOW + 50, NOW + 20, NOW + 80]) alarm.wakeBy(at);
  expect([platformAt, settings]).toEqual([NOW + 20, 2]);
});

test('keeps an alarm that was set before an eviction', async () => {
  platformAt = NOW + 20;
  const alarm = openAlarm();
  await alarm.load();
  alarm.wakeBy(NOW + 50);
  expect([platformAt, settings]).toEqual([NOW + 20, 0]);
});

test('replan sets the alarm to the next deadline or clears it, but keeps one that is slightly early', () => {
  const alarm = openAlarm();
  alarm.wakeBy(NOW + 10_000);
  alarm.replan(NOW + 39_999);
  expect(platformAt).toBe(NOW + 10_000);
  alarm.replan(NOW + 40_000);
  expect(platformAt).toBe(NOW + 40_000);
  alarm.replan(NOW + 5_000);
  expect(platformAt).toBe(NOW + 5_000);
  alarm.replan(null);
  expect(platformAt).toBeNull();
});

test('replan does not postpone a due alarm before it has fired', () => {
  const alarm = openAlarm();
  alarm.wakeBy(NOW + 10);
  vi.setSystemTime(NOW + 10);
  alarm.replan(NOW + 60_000);
  alarm.replan(null);
  expect(platformAt).toBe(NOW + 10);
  alarm.markFired();
  alarm.replan(NOW + 60_000);
  expect(platformAt).toBe(NOW + 60_000);
});
