import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ObjectAlarm } from './object-alarm.js';

const NOW = 1_000_000;
/** What the platform was last asked for. */
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

test('an alarm of a former life counts', async () => {
  platformAt = NOW + 20;
  const alarm = openAlarm();
  await alarm.load();
  alarm.wakeBy(NOW + 50);
  expect([platformAt, settings]).toEqual([NOW + 20, 0]);
});

test('a plan sets the alarm to the next deadline or to none; one that is a little early stays', () => {
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

test('an alarm that is due is not put off by a plan before it has fired', () => {
  const alarm = openAlarm();
  alarm.wakeBy(NOW + 10);
  vi.setSystemTime(NOW + 10);
  alarm.replan(NOW + 60_000);
  alarm.replan(null);
  expect(platformAt).toBe(NOW + 10);
  alarm.wentOff();
  alarm.replan(NOW + 60_000);
  expect(platformAt).toBe(NOW + 60_000);
});
