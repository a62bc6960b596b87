import { expect, test } from 'vitest';
import { createRedactor } from '../net/index.js';
import { JOB_LIMITS } from './job-limits.js';
import { ProgressBuffer } from './progress-buffer.js';

const buffer = (from = { eventSeq: 0, progressPct: null as number | null }) =>
  new ProgressBuffer(createRedactor(), from);

test('percent never decreases, not even across attempts', () => {
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

test('an event without a percentage has none, whatever came before it', () => {
  const events = buffer();
  events.add({ type: 'metric', percent: 40 });
  events.add({ type: 'metric' });
  expect(events.take().map(({ progressPct }) => progressPct)).toEqual([40, null]);
});

test('a percentage is a whole number from 0 to 100', () => {
  const events = buffer();
  for (const percent of [Number.NaN, -1, 0, 0.4, 0.5, 99.4, 101]) events.add({ type: 'metric', percent });
  expect(events.take().map(({ progressPct }) => progressPct)).toEqual([0, 0, 0, 0, 1, 99, 100]);
});

test('an event without a message and data has null for both', () => {
  const events = buffer();
  events.add({ type: 'metric' });
  events.add({ type: 'metric', isTrusted: true });
  expect(events.take().map(({ message, data }) => [message, data])).toEqual([
    [null, null],
    [null, null],
  ]);
});

test('leaves trusted events as they are', () => {
  const events = buffer();
  const trusted = { message: 'password=hunter2hunter2', data: { worker: 'password=hunter2hunter2' } };
  events.add({ type: 'metric', ...trusted, isTrusted: true });
  expect(events.take()).toEqual([{ seq: 1, type: 'metric', ...trusted, progressPct: null }]);
});

test('renumbers all unsent events behind a start event that is left out', () => {
  const events = buffer({ eventSeq: 4, progressPct: null });
  events.add({ type: 'status_changed', message: 'running' });
  for (const message of ['a', 'b', 'c']) events.add({ type: 'metric', message });
  const written = events.close({ type: 'status_changed', message: 'done' });
  expect(written.map(({ seq, message }) => [seq, message])).toEqual([
    [5, 'a'],
    [6, 'b'],
    [7, 'c'],
    [8, 'done'],
  ]);
});

test('S12: redacts and truncates events, including lists', () => {
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

test('a taken event keeps its number; an unsent start event is left out', () => {
  const events = buffer();
  events.add({ type: 'status_changed', message: 'running', isTrusted: true });
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

test('a taken event is not written a second time at the end', () => {
  const events = buffer();
  events.add({ type: 'metric', message: 'early' });
  events.take();
  const written = events.close({ type: 'status_changed', message: 'done' });
  expect(written.map(({ seq, message }) => [seq, message])).toEqual([
    [1, 'early'],
    [2, 'done'],
  ]);
});

test('limits events per flush and per job', () => {
  const events = buffer();
  for (let n = 0; n < 500; n++) events.add({ type: 'metric', message: `m${n}` });
  expect(events.take()).toHaveLength(JOB_LIMITS.eventsPerFlush);
  expect(events.take().map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  expect(events.take().at(-1)?.message).toBe('m499');
  for (let n = 0; n < JOB_LIMITS.eventsPerJob; n++) {
    events.confirm(Number.POSITIVE_INFINITY);
    events.add({ type: 'metric', message: 'x' });
  }
  expect(events.take().at(-1)?.seq ?? 0).toBeLessThanOrEqual(JOB_LIMITS.eventsPerJob);
});

test('keeps event data up to 16384 characters and a result up to 65536', () => {
  const kept = (type: 'metric' | 'status_changed', chars: number) => {
    const events = buffer();
    // {"big":"…"} has ten characters more.
    events.add({ type, data: { big: 'y'.repeat(chars - 10) } });
    return events.take()[0]?.data?.['truncated'] === undefined;
  };
  expect([kept('metric', 16_384), kept('metric', 16_385)]).toEqual([true, false]);
  expect([kept('status_changed', 65_536), kept('status_changed', 65_537)]).toEqual([true, false]);
});

test('never replaces a sent event: the next event gets its own number', () => {
  const events = buffer();
  for (let n = 0; n < JOB_LIMITS.eventsPerFlush; n++) events.add({ type: 'metric', message: `m${n}` });
  events.take();
  events.add({ type: 'metric', message: 'next' });
  expect(events.take().map(({ message }) => message)).toHaveLength(JOB_LIMITS.eventsPerFlush + 1);
  events.confirm(JOB_LIMITS.eventsPerFlush);
  expect(events.take().map(({ seq, message }) => [seq, message])).toEqual([[101, 'next']]);
  expect(events.isEmpty).toBe(false);
  events.confirm(101);
  expect(events.isEmpty).toBe(true);
});

test('the last event before the limit is a warning, and none follow', () => {
  const events = buffer();
  for (let n = 1; n <= JOB_LIMITS.eventsPerJob + 5; n++) {
    events.confirm(Math.min(n - 2, JOB_LIMITS.eventsPerJob - 1));
    events.take();
    events.add({ type: 'metric', message: 'x', percent: n > JOB_LIMITS.eventsPerJob ? 99 : 1 });
  }
  expect(events.take().at(-1)).toMatchObject({
    seq: 10_000,
    type: 'warning',
    message: 'a job can emit at most 10000 events; later ones were dropped',
  });
  expect(events.close({ type: 'status_changed', percent: 0 }).at(-1)).toMatchObject({ progressPct: 1 });
});
