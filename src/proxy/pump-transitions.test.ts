import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FULL_DISK, PumpBench, settle } from '../../test/support/pump-bench.js';
import type { Pump } from './pump.js';
import type { Ending } from './upstream-outcome.js';

const bench = new PumpBench();
beforeAll(() => bench.open());
beforeEach(() => bench.begin());
afterEach(() => bench.service.stop());
afterAll(() => bench.close());

type Mode = 'nothing gathered' | 'bytes gathered' | 'a write under way' | 'finishing' | 'ended';
type Happening =
  | 'end'
  | 'abort'
  | 'silence'
  | 'reset'
  | 'truncation'
  | 'too large'
  | 'leaving'
  | 'deletion'
  | 'full disk';

/** How each mode takes each happening: how it ends, and what can be read. Every cell must be there to compile. */
const TABLE: Readonly<Record<Mode, Readonly<Record<Happening, string>>>> = {
  'nothing gathered': {
    end: 'completed ""',
    abort: 'aborted ""',
    silence: 'timeout UPSTREAM_BODY_TIMEOUT ""',
    reset: 'failed UPSTREAM_RESET ""',
    truncation: 'failed UPSTREAM_TRUNCATED ""',
    'too large': 'failed RESPONSE_TOO_LARGE ""',
    leaving: 'failed PUMP_LOST ""',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR ""',
  },
  'bytes gathered': {
    end: 'completed "Ab"',
    abort: 'aborted "Ab"',
    silence: 'timeout UPSTREAM_BODY_TIMEOUT "Ab"',
    reset: 'failed UPSTREAM_RESET "Ab"',
    truncation: 'failed UPSTREAM_TRUNCATED "Ab"',
    'too large': 'failed RESPONSE_TOO_LARGE "Ab"',
    leaving: 'failed PUMP_LOST "Ab"',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR "A"',
  },
  'a write under way': {
    end: 'completed "ABcd"',
    abort: 'aborted "ABcd"',
    silence: 'timeout UPSTREAM_BODY_TIMEOUT "ABcd"',
    reset: 'failed UPSTREAM_RESET "ABcd"',
    truncation: 'failed UPSTREAM_TRUNCATED "ABcd"',
    'too large': 'failed RESPONSE_TOO_LARGE "ABcd"',
    leaving: 'failed PUMP_LOST "ABcd"',
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
  if (mode === 'nothing gathered') return;
  if (mode === 'a write under way') {
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
  await gatherAfterSlowWrite();
  if (mode === 'bytes gathered') return;
  bench.holdWrites();
  bench.body.end();
  await settle();
}

/** Leaves one byte that waits for more, since the write before it was slow. */
async function gatherAfterSlowWrite(): Promise<void> {
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

const HAPPENINGS: Readonly<Record<Happening, (pump: Pump) => unknown>> = {
  end: () => bench.body.end(),
  abort: (pump) => void pump.stop(),
  silence: () => bench.timers.pass(600_000),
  reset: () => bench.body.fail('fetch_error', 'reset'),
  truncation: () => bench.body.fail('fetch_error', 'truncated'),
  'too large': () => bench.body.fail('response_too_large'),
  leaving: (pump) => void pump.leave({ outcome: 'failed', error: 'PUMP_LOST' }),
  deletion: () => bench.service.removeOwn(bench.streamId),
  'full disk': () => {
    bench.failWith = FULL_DISK;
  },
};

describe.each(Object.keys(TABLE) as Mode[])('in the mode: %s', (mode) => {
  test.each(Object.keys(HAPPENINGS) as Happening[])('%s', async (happening) => {
    const pump = bench.start();
    const endings: Ending[] = [];
    void pump.ended.then((ending) => endings.push(ending));
    await bring(pump, mode);
    await HAPPENINGS[happening](pump);
    await settle();
    bench.openGate();
    await settle();
    if (happening === 'deletion' || happening === 'full disk') bench.body.end();
    // The disk has room again when the closure is tried once more.
    await settle();
    bench.failWith = undefined;
    bench.timers.pass(1_000);
    await settle();
    const { outcome, error } = await pump.ended;
    const found = await bench.service.find(bench.streamId);
    const text = found ? JSON.stringify((await bench.stored()).text.replace(/A+/, 'A')) : 'gone';
    expect([outcome, error, text].filter(Boolean).join(' ')).toBe(TABLE[mode][happening]);
    // Once, and for good: stopping again changes nothing, and the note of the pump is gone.
    await pump.stop();
    await pump.leave({ outcome: 'failed', error: 'PUMP_LOST' });
    await settle();
    expect(endings).toEqual([{ outcome, ...(error && { error }) }]);
    if (found) expect(await bench.stored()).toMatchObject({ closed: true, outcome, error });
    expect(await bench.inline.proxy.pumps('', 100)).not.toContainEqual(bench.stream);
    expect(bench.timers.set).toEqual([]);
  });
});
