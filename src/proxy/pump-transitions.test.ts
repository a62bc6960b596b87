import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FULL_DISK, PumpBench, settle } from '../../test/support/pump-bench.js';
import type { Pump } from './pump.js';
import type { Ending } from './upstream-outcome.js';

const bench = new PumpBench();
beforeAll(() => bench.open());
beforeEach(() => bench.begin());
afterEach(() => bench.service.stop());
afterAll(() => bench.close());

type Mode = 'nothing buffered' | 'bytes buffered' | 'a write in flight' | 'finishing' | 'ended';
type PumpEvent =
  | 'end'
  | 'abort'
  | 'silence'
  | 'reset'
  | 'truncation'
  | 'too large'
  | 'leaving'
  | 'deletion'
  | 'full disk';

/** The outcome and the readable text for each event in each mode. A missing cell does not compile. */
const TABLE: Readonly<Record<Mode, Readonly<Record<PumpEvent, string>>>> = {
  'nothing buffered': {
    end: 'completed ""',
    abort: 'aborted ""',
    silence: 'timeout UPSTREAM_BODY_TIMEOUT ""',
    reset: 'failed UPSTREAM_RESET ""',
    truncation: 'failed UPSTREAM_TRUNCATED ""',
    'too large': 'failed RESPONSE_TOO_LARGE ""',
    leaving: 'failed SERVER_STOPPED ""',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR ""',
  },
  'bytes buffered': {
    end: 'completed "Ab"',
    abort: 'aborted "Ab"',
    silence: 'timeout UPSTREAM_BODY_TIMEOUT "Ab"',
    reset: 'failed UPSTREAM_RESET "Ab"',
    truncation: 'failed UPSTREAM_TRUNCATED "Ab"',
    'too large': 'failed RESPONSE_TOO_LARGE "Ab"',
    leaving: 'failed SERVER_STOPPED "Ab"',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR "A"',
  },
  'a write in flight': {
    end: 'completed "ABcd"',
    abort: 'aborted "ABcd"',
    silence: 'timeout UPSTREAM_BODY_TIMEOUT "ABcd"',
    reset: 'failed UPSTREAM_RESET "ABcd"',
    truncation: 'failed UPSTREAM_TRUNCATED "ABcd"',
    'too large': 'failed RESPONSE_TOO_LARGE "ABcd"',
    leaving: 'failed SERVER_STOPPED "ABcd"',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR ""',
  },
  finishing: {
    end: 'completed "Ab"',
    abort: 'completed "Ab"',
    silence: 'completed "Ab"',
    reset: 'completed "Ab"',
    truncation: 'completed "Ab"',
    'too large': 'completed "Ab"',
    leaving: 'completed "Ab"',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR "A"',
  },
  ended: {
    end: 'completed "ab"',
    abort: 'completed "ab"',
    silence: 'completed "ab"',
    reset: 'completed "ab"',
    truncation: 'completed "ab"',
    'too large': 'completed "ab"',
    leaving: 'completed "ab"',
    deletion: 'completed gone',
    'full disk': 'completed "ab"',
  },
};

async function bring(pump: Pump, mode: Mode): Promise<void> {
  if (mode === 'nothing buffered') return;
  if (mode === 'a write in flight') {
    bench.holdWrites();
    bench.body.say('A'.repeat(4_096));
    await settle();
    bench.body.say('B');
    bench.body.say('cd');
    return settle();
  }
  if (mode === 'ended') {
    bench.body.say('ab');
    bench.body.end();
    await pump.ended;
    return;
  }
  await bufferAfterSlowWrite();
  if (mode === 'bytes buffered') return;
  bench.holdWrites();
  bench.body.end();
  await settle();
}

/** Leaves one buffered byte, because the write before it was slow. */
async function bufferAfterSlowWrite(): Promise<void> {
  bench.holdWrites();
  bench.body.say('A');
  await settle();
  bench.timers.pass(51);
  bench.body.say('b');
  await settle();
  bench.openGate();
  await settle();
  expect(bench.writes).toEqual([1]);
}

const EVENTS: Readonly<Record<PumpEvent, (pump: Pump) => unknown>> = {
  end: () => bench.body.end(),
  abort: (pump) => void pump.stop(),
  silence: () => bench.timers.pass(600_000),
  reset: () => bench.body.fail('fetch_error', 'reset'),
  truncation: () => bench.body.fail('fetch_error', 'truncated'),
  'too large': () => bench.body.fail('response_too_large'),
  leaving: (pump) => void pump.leave({ outcome: 'failed', error: 'SERVER_STOPPED' }),
  deletion: () => bench.service.removeOwn(bench.streamId),
  'full disk': () => {
    bench.failWith = FULL_DISK;
  },
};

describe.each(Object.keys(TABLE) as Mode[])('in mode: %s', (mode) => {
  test.each(Object.keys(EVENTS) as PumpEvent[])('%s', async (event) => {
    const pump = bench.start();
    const endings: Ending[] = [];
    void pump.ended.then((ending) => endings.push(ending));
    await bring(pump, mode);
    await EVENTS[event](pump);
    await settle();
    bench.openGate();
    await settle();
    if (event === 'deletion' || event === 'full disk') bench.body.end();
    // The disk has room again when closing is retried.
    await settle();
    bench.failWith = undefined;
    bench.timers.pass(1_000);
    await settle();
    const { outcome, error } = await pump.ended;
    const found = await bench.service.find(bench.streamId);
    const text = found ? JSON.stringify((await bench.stored()).text.replace(/A+/, 'A')) : 'gone';
    expect([outcome, error, text].filter(Boolean).join(' ')).toBe(TABLE[mode][event]);
    // The pump ends only once: stopping it again changes nothing, and its record in the store is gone.
    await pump.stop();
    await pump.leave({ outcome: 'failed', error: 'SERVER_STOPPED' });
    await settle();
    expect(endings).toEqual([{ outcome, ...(error && { error }) }]);
    if (found) expect(await bench.stored()).toMatchObject({ closed: true, outcome, error });
    expect(await bench.notedPumps()).not.toContain(bench.streamId);
    expect(bench.timers.set).toEqual([]);
  });
});
