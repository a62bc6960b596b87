import { describe, expect, test } from 'vitest';
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

describe('a caller that left', () => {
  const orphan = { cancelAfterMs: 300 };

  test.each(['before', 'during'])('%s the wait ends it as late as the orphan policy allows', (when) => {
    const timers = new ManualTimers(0);
    const caller = new AbortController();
    if (when === 'before') caller.abort();
    const wait = new HeadWait(timers, { headersMs: 1_000, orphan, caller });
    caller.abort();
    timers.pass(299);
    expect(wait.endedBy).toBeUndefined();
    timers.pass(1);
    expect([wait.endedBy, wait.signal.aborted]).toEqual(['stop', true]);
    expect(timers.set).toEqual([]);
  });

  test('and repeats its request gets the whole time again', () => {
    const timers = new ManualTimers(0);
    const caller = new AbortController();
    const wait = new HeadWait(timers, { headersMs: 1_000, orphan, caller });
    wait.renew();
    expect(timers.set).toEqual([1_000]);
    caller.abort();
    timers.pass(299);
    wait.renew();
    timers.pass(299);
    expect(wait.endedBy).toBeUndefined();
    timers.pass(1);
    expect(wait.endedBy).toBe('stop');
  });

  test('has no effect once the head has arrived, or without a policy', () => {
    const timers = new ManualTimers(0);
    const caller = new AbortController();
    const wait = new HeadWait(timers, { headersMs: 1_000, orphan, caller });
    wait.finish();
    new HeadWait(timers, { headersMs: 1_000, orphan: null, caller });
    caller.abort();
    expect(timers.set).toEqual([1_000]);
  });
});

test('an upload that stalls ends the wait, counted from its last deadline', () => {
  const timers = new ManualTimers(0);
  const wait = waitFor(timers);
  timers.pass(700);
  wait.sent('piece');
  expect(timers.set).toEqual([300]);
  timers.pass(1_299);
  expect(wait.endedBy).toBeUndefined();
  timers.pass(1);
  expect(wait.endedBy).toBe('timeout');
});

test('nothing restarts a wait that is finished', () => {
  const timers = new ManualTimers(0);
  const caller = new AbortController();
  const wait = new HeadWait(timers, { headersMs: 1_000, orphan: { cancelAfterMs: 300 }, caller });
  caller.abort();
  expect(timers.set).toEqual([300, 1_000]);
  wait.finish();
  wait.sent('whole');
  expect(timers.set).toEqual([]);
});

test('the first reason counts', () => {
  const wait = waitFor(new ManualTimers(0));
  wait.stop();
  expect(wait.endedBy).toBe('stop');
  expect(wait.signal.aborted).toBe(true);
});

test("the caller's signal is not created without a policy", () => {
  let reads = 0;
  const caller = {
    get signal() {
      reads++;
      return new AbortController().signal;
    },
  };
  new HeadWait(new ManualTimers(0), { headersMs: 1_000, orphan: null, caller });
  expect(reads).toBe(0);
  new HeadWait(new ManualTimers(0), { headersMs: 1_000, orphan: { cancelAfterMs: 1 }, caller });
  expect(reads).toBe(1);
});
