import { expect, test } from 'vitest';
import { ManualTimers } from '../../test/support/manual-timers.js';
import { HeadWait } from './head-wait.js';

const waitFor = (timers: ManualTimers) =>
  new HeadWait(timers, { headersMs: 1_000, orphan: null, caller: {} });

test('the wait ends if no head arrives in time', () => {
  const timers = new ManualTimers(0);
  const wait = waitFor(timers);
  timers.pass(999);
  expect(wait.endedBy).toBeUndefined();
  timers.pass(1);
  expect([wait.endedBy, wait.signal.aborted]).toEqual(['timeout', true]);
});

test('the deadline starts at the last byte of an upload, which may take longer', () => {
  const timers = new ManualTimers(0);
  const wait = waitFor(timers);
  for (let n = 0; n < 10; n++) {
    timers.pass(700);
    wait.sent('piece');
  }
  wait.sent('whole');
  timers.pass(999);
  expect(wait.endedBy).toBeUndefined();
  timers.pass(1);
  expect(wait.endedBy).toBe('timeout');
  expect(timers.set).toEqual([]);
});
