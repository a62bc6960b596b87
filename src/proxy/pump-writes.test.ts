/** When a pump writes: beside a slow store, with a pace, and at the size of a record. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PumpBench, settle } from '../../test/support/pump-bench.js';
import { SpareWrites } from './spare-writes.js';

const RECORD = 262_144;
const bench = new PumpBench();
beforeAll(() => bench.open());
beforeEach(() => bench.begin());
afterEach(() => bench.service.stop());
afterAll(() => bench.close());

async function say(text: string): Promise<void> {
  bench.body.say(text);
  await settle();
}

async function pass(ms: number): Promise<void> {
  bench.timers.pass(ms);
  await settle();
}

async function openGate(): Promise<void> {
  bench.openGate();
  await settle();
}

describe('beside a slow store', () => {
  beforeEach(async () => {
    bench.holdWrites();
  });

  test.each([
    [50, [1, 1]],
    [49, [1]],
  ])('bytes that have waited %i ms when a slow write ends: writes %j', async (ms, writes) => {
    bench.start();
    await say('a');
    bench.timers.pass(51 - ms);
    await say('b');
    bench.timers.pass(ms);
    await openGate();
    expect(bench.writes).toEqual(writes);
    await pass(1);
    expect(bench.writes).toEqual([1, 1]);
  });

  test('the wait is that of the first byte, not of the last', async () => {
    bench.start();
    await say('a');
    await say('b');
    bench.timers.pass(51);
    await say('c');
    await openGate();
    expect(bench.writes).toEqual([1, 2]);
  });

  test('4 KB that arrived during a slow write are written at its end', async () => {
    bench.start();
    await say('a');
    bench.timers.pass(51);
    await say('b'.repeat(4_096));
    await openGate();
    expect(bench.writes).toEqual([1, 4_096]);
    expect(bench.timers.set).toHaveLength(1);
  });

  test('a full 4 KB cancels the wait', async () => {
    bench.start();
    await say('a');
    bench.timers.pass(51);
    await say('b');
    await openGate();
    expect(bench.timers.set).toEqual([50, 599_949]);
    await say('c'.repeat(4_095));
    expect([bench.writes, bench.timers.set]).toEqual([[1, 4_096], [599_949]]);
  });

  test('two slow writes that end together start one wait', async () => {
    bench.start();
    await say('a');
    await say('b'.repeat(RECORD));
    bench.timers.pass(51);
    await say('c');
    await openGate();
    expect([bench.writes, bench.timers.set]).toEqual([
      [1, RECORD],
      [50, 599_949],
    ]);
  });

  test('a reader that joins does not shorten the wait', async () => {
    const pump = bench.start();
    await say('a');
    bench.timers.pass(51);
    await say('b');
    await openGate();
    pump.hurry();
    await settle();
    expect([bench.writes, bench.timers.set]).toEqual([[1], [50, 599_949]]);
  });
});

describe('with a pace', () => {
  let paceMs = 250;
  const startPaced = async () => {
    paceMs = 250;
    const pump = bench.start({ paceMs: () => paceMs });
    await say('a');
    return pump;
  };

  test('a small write waits to the last millisecond, even if more bytes arrive', async () => {
    await startPaced();
    await say('b');
    await pass(249);
    await say('c');
    expect(bench.writes).toEqual([1]);
    await pass(1);
    expect(bench.writes).toEqual([1, 2]);
  });

  test('bytes that arrive when the time is over are written at once', async () => {
    await startPaced();
    await pass(250);
    await say('b');
    expect(bench.writes).toEqual([1, 1]);
  });

  test('a large write does not wait, and starts the time for the next small one', async () => {
    await startPaced();
    await say('b');
    await pass(100);
    await say('c'.repeat(4_095));
    expect([bench.writes, bench.timers.set]).toEqual([[1, 4_096], [599_900]]);
    await say('d');
    expect([bench.writes, bench.timers.set]).toEqual([
      [1, 4_096],
      [250, 599_900],
    ]);
    await pass(250);
    expect(bench.writes).toEqual([1, 4_096, 1]);
  });

  test('a longer pace applies to bytes that are already waiting', async () => {
    await startPaced();
    await say('b');
    paceMs = 400;
    await pass(250);
    expect([bench.writes, bench.timers.set]).toEqual([[1], [150, 599_750]]);
    await pass(150);
    expect(bench.writes).toEqual([1, 1]);
  });
});

describe('at the size of a record', () => {
  test('a full record is written beside another one, and less is not', async () => {
    bench.start();
    bench.holdWrites();
    await say('a');
    await say('b'.repeat(RECORD - 1));
    expect(bench.writes).toEqual([1]);
    await say('c');
    expect(bench.writes).toEqual([1, RECORD]);
  });

  test('reading pauses at a full record if there is no spare write', async () => {
    bench.spareWrites = new SpareWrites(0);
    const pump = bench.start();
    bench.holdWrites();
    await say('a');
    await say('b'.repeat(RECORD));
    expect(bench.body.reads).toBe(2);
    // The pause does not count as silence of the upstream, which starts when reading goes on.
    await pass(600_100);
    await openGate();
    expect(bench.body.reads).toBe(3);
    await pass(599_999);
    expect(bench.body.canceled).toBe(0);
    bench.timers.pass(1);
    expect((await pump.ended).outcome).toBe('timeout');
  });

  test('a spare write is given back once, and a first write takes none', async () => {
    bench.spareWrites = new SpareWrites(1);
    bench.start();
    bench.holdWrites();
    await say('a');
    await say('b'.repeat(RECORD));
    expect(bench.spareWrites.take()).toBe(false);
    await openGate();
    expect([bench.spareWrites.take(), bench.spareWrites.take()]).toEqual([true, false]);
  });
});
