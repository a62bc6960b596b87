import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FULL_DISK, PumpBench, settle } from '../../test/support/pump-bench.js';
import type { Pump } from './pump.js';
import { SpareWrites } from './spare-writes.js';

const bench = new PumpBench();
beforeAll(() => bench.open());
beforeEach(() => bench.begin());
afterEach(() => bench.service.stop());
afterAll(() => bench.close());

/** Runs a write that takes `ms`; `text` arrives just before it ends. */
async function afterWriteOf(ms: number, text: string): Promise<void> {
  bench.start();
  bench.holdWrites();
  bench.body.say('a');
  await settle();
  bench.timers.pass(ms);
  bench.body.say(text);
  await settle();
  bench.openGate();
  await settle();
}

describe('writing', () => {
  test('writes at once if no write is in flight, however small', async () => {
    bench.start();
    bench.body.say('lone token');
    await settle();
    expect(bench.writes).toEqual([10]);
    bench.body.say('x'.repeat(10_000));
    await settle();
    expect(bench.writes).toEqual([10, 10_000]);
    expect(bench.timers.set).toHaveLength(1);
    expect((await bench.stored()).text).toBe(`lone token${'x'.repeat(10_000)}`);
  });

  test('spaces small writes by paceMs, without delaying the first', async () => {
    let paceMs = 250;
    const pump = bench.start({ paceMs: () => paceMs });
    bench.body.say('a');
    await settle();
    expect(bench.writes).toEqual([1]);
    for (let i = 0; i < 5; i++) bench.body.say('b');
    await settle();
    expect(bench.writes).toEqual([1]);
    bench.timers.pass(249);
    await settle();
    expect(bench.writes).toEqual([1]);
    bench.timers.pass(1);
    await settle();
    expect(bench.writes).toEqual([1, 5]);
    // A reader joins, for whom the pace is faster.
    bench.timers.pass(100);
    bench.body.say('c');
    await settle();
    paceMs = 70;
    pump.hurry();
    await settle();
    expect(bench.writes).toEqual([1, 5, 1]);
    bench.body.say('d'.repeat(4096));
    await settle();
    expect(bench.writes).toEqual([1, 5, 1, 4096]);
    expect((await bench.stored()).text).toBe(`abbbbbc${'d'.repeat(4096)}`);
  });

  test('ignores an empty chunk', async () => {
    bench.start();
    bench.body.say('');
    await settle();
    bench.timers.pass(100);
    await settle();
    expect(bench.writes).toEqual([]);
  });

  test('writes one at a time and combines what arrives during a write', async () => {
    bench.start();
    bench.holdWrites();
    bench.body.say('a');
    for (let i = 0; i < 10; i++) bench.body.say('b'.repeat(3_000));
    await settle();
    expect(bench.writes).toEqual([1]);
    bench.openGate();
    await settle();
    expect(bench.writes).toEqual([1, 30_000]);
  });

  test('writes at once after a write of up to 50 ms', async () => {
    await afterWriteOf(50, 'b');
    expect(bench.writes).toEqual([1, 1]);
  });

  test('after a slower write, writes 50 ms after the first buffered byte', async () => {
    await afterWriteOf(51, 'b');
    expect(bench.writes).toEqual([1]);
    bench.timers.pass(30);
    bench.body.say('c');
    await settle();
    bench.timers.pass(19);
    await settle();
    expect(bench.writes).toEqual([1]);
    bench.timers.pass(1);
    await settle();
    expect(bench.writes).toEqual([1, 2]);
    bench.body.say('d');
    await settle();
    expect(bench.writes).toEqual([1, 2, 1]);
  });

  test('after a slower write, writes at 4 KB', async () => {
    await afterWriteOf(51, 'b'.repeat(4095));
    expect(bench.writes).toEqual([1]);
    bench.body.say('c');
    await settle();
    expect(bench.writes).toEqual([1, 4096]);
  });

  test('after a slower write, writes at once if the first byte has waited for 50 ms', async () => {
    bench.start();
    bench.holdWrites();
    bench.body.say('a');
    await settle();
    bench.body.say('b');
    await settle();
    bench.timers.pass(51);
    bench.openGate();
    await settle();
    expect(bench.writes).toEqual([1, 1]);
  });

  test('writes at most 256 KB, and the rest at once', async () => {
    bench.start();
    bench.holdWrites();
    bench.body.say('a'.repeat(4_096));
    await settle();
    for (let i = 0; i < 10; i++) bench.body.say(new Uint8Array(60_000).fill(98));
    await settle();
    bench.openGate();
    await settle();
    expect(bench.writes.slice(0, 2)).toEqual([4_096, 262_144]);
    expect(bench.writes.reduce((sum: number, size) => sum + (size ?? 0), 0)).toBe(604_096);
    bench.body.end();
    await settle();
    expect((await bench.stored()).text).toBe('a'.repeat(4_096) + 'b'.repeat(600_000));
  });

  test('writes a single byte beyond a full record', async () => {
    bench.start();
    bench.holdWrites();
    bench.body.say('a');
    await settle();
    bench.body.say('b'.repeat(262_145));
    bench.body.end();
    bench.openGate();
    await settle();
    expect((await bench.stored()).text).toHaveLength(262_146);
  });

  test('stops reading the socket while the store is slow', async () => {
    bench.start();
    bench.holdWrites();
    for (let i = 0; i < 40; i++) bench.body.say(new Uint8Array(60_000));
    await settle();
    const { reads } = bench.body;
    // The first chunk, then full records in flight, then at most one buffered record.
    expect(bench.writes).toEqual([60_000, ...Array<number>(5).fill(262_144)]);
    expect(reads).toBeLessThanOrEqual(28);
    await settle();
    expect(bench.body.reads).toBe(reads);
    bench.openGate();
    await settle();
    expect(bench.body.reads).toBe(41);
  });

  test('stops reading also if it may not write more than one record at a time', async () => {
    bench.spareWrites = new SpareWrites(0);
    bench.start();
    bench.holdWrites();
    for (let i = 0; i < 40; i++) bench.body.say(new Uint8Array(60_000));
    await settle();
    // The first chunk is being written, and five more fill a record.
    expect([bench.writes, bench.body.reads]).toEqual([[60_000], 6]);
    bench.openGate();
    await settle();
    expect(bench.body.reads).toBe(41);
  });

  test('pumps share a limit of extra writes, and each may always have one', async () => {
    bench.spareWrites = new SpareWrites(1);
    bench.start();
    bench.holdWrites();
    for (let i = 0; i < 40; i++) bench.body.say(new Uint8Array(60_000));
    await settle();
    expect(bench.writes).toEqual([60_000, 262_144]);
    expect(bench.spareWrites.take()).toBe(false);
    bench.openGate();
    await settle();
    expect(bench.body.reads).toBe(41);
    expect(bench.spareWrites.take()).toBe(true);
  });
});

describe('silence', () => {
  /** It ends after ten minutes of silence from now on, and not a millisecond earlier. */
  async function expectTimeout(pump: Pump): Promise<void> {
    bench.timers.pass(599_999);
    await settle();
    expect((await bench.stored()).closed).toBe(false);
    bench.timers.pass(1);
    expect(await pump.ended).toEqual({ outcome: 'timeout', error: 'UPSTREAM_BODY_TIMEOUT' });
  }

  test('ends the stream as timed out after ten minutes', async () => {
    const pump = bench.start();
    bench.body.say('hello');
    await settle();
    await expectTimeout(pump);
    expect(bench.body.canceled).toBeGreaterThan(0);
    expect(await bench.stored()).toEqual({
      text: 'hello',
      closed: true,
      outcome: 'timeout',
      error: 'UPSTREAM_BODY_TIMEOUT',
    });
  });

  test('counts from the last byte', async () => {
    const pump = bench.start();
    for (let i = 0; i < 5; i++) {
      bench.timers.pass(400_000);
      bench.body.say('.');
      await settle();
    }
    await expectTimeout(pump);
  });

  test('counts to the millisecond', async () => {
    const pump = bench.start();
    bench.timers.pass(1);
    bench.body.say('.');
    await settle();
    await expectTimeout(pump);
  });

  test('an empty chunk does not interrupt it', async () => {
    const pump = bench.start();
    bench.timers.pass(300_000);
    bench.body.say('');
    await settle();
    bench.timers.pass(300_000);
    expect((await pump.ended).outcome).toBe('timeout');
  });

  test('does not count while the store blocks reading', async () => {
    const pump = bench.start();
    bench.holdWrites();
    for (let i = 0; i < 40; i++) bench.body.say(new Uint8Array(60_000));
    await settle();
    bench.timers.pass(3_000_000);
    await settle();
    bench.openGate();
    await settle();
    bench.timers.pass(599_999);
    await settle();
    bench.body.end();
    expect((await pump.ended).outcome).toBe('completed');
  });
});

describe('a store that fails', () => {
  test('leaves no gap: after a lost record only the failure is written', async () => {
    const pump = bench.start();
    bench.body.say('first'.padEnd(4_096, '.'));
    await settle();
    bench.failWith = FULL_DISK;
    bench.body.say('lost'.padEnd(4_096, '.'));
    bench.body.say('after'.padEnd(4_096, '.'));
    await settle();
    bench.failWith = undefined;
    bench.timers.pass(1_000);
    expect(await pump.ended).toEqual({ outcome: 'failed', error: 'STORAGE_ERROR' });
    expect(await bench.stored()).toMatchObject({
      text: 'first'.padEnd(4_096, '.'),
      outcome: 'failed',
      error: 'STORAGE_ERROR',
    });
    expect(bench.body.canceled).toBeGreaterThan(0);
  });

  test('leaves no gap with two records in flight: the second is refused without the first', async () => {
    const pump = bench.start();
    bench.holdWrites();
    bench.body.say('lost'.padEnd(4_096, '.'));
    await settle();
    bench.body.say('b'.repeat(300_000));
    await settle();
    expect(bench.writes).toEqual([4_096, 262_144]);
    bench.onCommit = () => {
      bench.onCommit = () => {};
      throw FULL_DISK;
    };
    bench.openGate();
    expect(await pump.ended).toEqual({ outcome: 'failed', error: 'STORAGE_ERROR' });
    expect(await bench.stored()).toEqual({
      text: '',
      closed: true,
      outcome: 'failed',
      error: 'STORAGE_ERROR',
    });
  });

  test('overrides an abort, because bytes are missing', async () => {
    const pump = bench.start();
    bench.body.say('gathered');
    await settle();
    bench.failWith = FULL_DISK;
    void pump.stop();
    await settle();
    bench.failWith = undefined;
    bench.timers.pass(1_000);
    expect(await pump.ended).toEqual({ outcome: 'failed', error: 'STORAGE_ERROR' });
  });

  test('is retried at growing intervals until it works, while readers are disconnected', async () => {
    const pump = bench.start();
    bench.failWith = FULL_DISK;
    bench.body.end();
    await settle();
    for (const ms of [1_000, 1_500, 2_250, 3_375]) {
      bench.timers.pass(ms - 1);
      await settle();
      const before = bench.writes.length;
      bench.timers.pass(1);
      await settle();
      expect(bench.writes).toHaveLength(before + 1);
    }
    expect(bench.dropped).toBe(5);
    for (let minute = 0; minute < 60; minute++) {
      bench.timers.pass(60_000);
      await settle();
    }
    bench.failWith = undefined;
    bench.timers.pass(10_000);
    expect((await pump.ended).error).toBe('STORAGE_ERROR');
    expect(await bench.stored()).toMatchObject({ closed: true, outcome: 'failed', error: 'STORAGE_ERROR' });
    expect(bench.timers.set).toEqual([]);
  });

  test('does not delay a process that is stopping', async () => {
    const pump = bench.start();
    bench.failWith = FULL_DISK;
    bench.body.end();
    await settle();
    expect(await pump.leave({ outcome: 'failed', error: 'SERVER_STOPPED' })).toEqual({
      outcome: 'failed',
      error: 'STORAGE_ERROR',
    });
    expect(bench.timers.set).toEqual([]);
    bench.failWith = undefined;
    expect(await bench.notedPumps()).toContain(bench.streamId);
  });
});

describe('cancels the upstream body, so that its socket is freed,', () => {
  test.each([
    ['at its end', () => bench.body.end(), 'completed'],
    ['when it fails', () => bench.body.fail('response_too_large'), 'failed'],
  ] as const)('%s', async (_name, act, outcome) => {
    const pump = bench.start();
    bench.body.say('a');
    await settle();
    expect(bench.body.canceled).toBe(0);
    act();
    expect(await pump.ended).toMatchObject({ outcome });
    expect(bench.body.canceled).toBe(1);
    expect(bench.timers.set).toEqual([]);
  });
});
