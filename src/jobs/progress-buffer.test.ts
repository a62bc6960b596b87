import { expect, test } from 'vitest';
import { createRedactor } from '../net/index.js';
import { JOB_LIMITS } from './job-limits.js';
import { ProgressBuffer } from './progress-buffer.js';

const buffer = (from = { eventSeq: 0, progressPct: null as number | null }) =>
  new ProgressBuffer(createRedactor(), from);

test('percent never goes back, also not behind an earlier attempt', () => {
  const events = buffer({ eventSeq: 7, progressPct: 40 });
  for (const percent of [10, 60, 50, 250, -3, Number.NaN]) events.add({ type: 'metric', percent });
  expect(events.take().map(({ seq, progressPct }) => [seq, progressPct])).toEqual([
    [8, 40],
    [9, 60],
    [10, 60],
    [11, 100],
    [12, 100],
    [13, 100],
  ]);
});

test('S12: events are redacted, in lists too, and truncated', () => {
  const events = buffer();
  events.add({
    type: 'error',
    message: 'password=hunter2hunter2',
    data: { list: [{ api_key: 'abcdef123456' }] },
  });
  events.add({ type: 'metric', message: 'x'.repeat(5000), data: { big: 'y'.repeat(50_000) } });
  const [first, second] = events.take();
  expect(JSON.stringify(first)).not.toMatch(/hunter2|abcdef123456/);
  expect(second?.message).toHaveLength(JOB_LIMITS.messageChars);
  expect(second?.data).toEqual({ truncated: true });
});

test('an event that was taken keeps its number; a start that nobody read is left out', () => {
  const events = buffer();
  events.add({ type: 'status_changed', message: 'running', ours: true });
  expect(events.close({ type: 'status_changed', message: 'done', percent: 100 })).toMatchObject([
    { seq: 1, message: 'done', progressPct: 100 },
  ]);
  events.take();
  events.add({ type: 'metric', message: 'later' });
  expect(
    events.close({ type: 'status_changed', message: 'done' }).map(({ seq, message }) => [seq, message]),
  ).toEqual([
    [1, 'running'],
    [2, 'later'],
    [3, 'done'],
  ]);
});

test('a job that talks faster than it is heard, or without end, is bounded', () => {
  const events = buffer();
  for (let n = 0; n < 500; n++) events.add({ type: 'metric', message: `m${n}` });
  expect(events.take()).toHaveLength(JOB_LIMITS.eventsPerFlush);
  expect(events.take().at(-1)?.message).toBe('m499');
  for (let n = 0; n < JOB_LIMITS.eventsPerJob; n++) {
    events.confirm(Number.POSITIVE_INFINITY);
    events.add({ type: 'metric', message: 'x' });
  }
  expect(events.take().at(-1)?.seq ?? 0).toBeLessThanOrEqual(JOB_LIMITS.eventsPerJob);
});
