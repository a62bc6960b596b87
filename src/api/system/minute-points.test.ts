import { expect, test } from 'vitest';
import { MINUTES_KEPT, MinutePoints } from './minute-points.js';

test("a point has its minute's counts and gauges, and the oldest points are dropped after an hour", async () => {
  let now = 0;
  let requests = 5;
  let isDown = false;
  const gauges = { queued: 1, running: 2, oldestQueuedMs: 3, responses: 4 };
  const minutes = new MinutePoints({
    clock: () => now,
    totals: () => ({ requests, errors: 0, refusals: 0 }),
    gauges: async () => {
      if (isDown) throw new Error('no database');
      return gauges;
    },
  });
  requests = 12;
  await minutes.measure();
  isDown = true;
  await minutes.measure();
  expect(minutes.points).toEqual([
    { at: 0, requests: 7, errors: 0, refusals: 0, ...gauges },
    { at: 0, requests: 0, errors: 0, refusals: 0 },
  ]);
  for (now = 1; now <= MINUTES_KEPT; now++) await minutes.measure();
  expect([minutes.points.length, minutes.points[0]?.at]).toEqual([MINUTES_KEPT, 1]);
});
