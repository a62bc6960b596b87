import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FULL_DISK, PumpBench, settle } from '../../test/support/pump-bench.js';
import { SpareWrites } from './spare-writes.js';

const bench = new PumpBench();
beforeAll(() => bench.open());
beforeEach(() => bench.begin());
afterEach(() => bench.service.stop());
afterAll(() => bench.close());

/** A write that takes so long, during whose last moment `text` arrives. */
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

describe('when a record is written', () => {
  test('at once if no write is under way, however small', async () => {
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

  test('where rows are billed, small writes keep their distance, and a first one does not wait', async () => {
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
    // A reader comes, for whom the distance is shorter.
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

  test('an empty piece is nothing', async () => {
    bench.start();
    bench.body.say('');
    await settle();
    bench.timers.pass(100);
    await settle();
    expect(bench.writes).toEqual([]);
  });

  test('one at a time; what arrives during a write forms the next', async () => {
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

  test('after a write of up to 50 ms, at once', async () => {
    await afterWriteOf(50, 'b');
    expect(bench.writes).toEqual([1, 1]);
  });

  test('after a slower write, 50 ms after its first byte', async () => {
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

  test('after a slower write, at 4 KB', async () => {
    await afterWriteOf(51, 'b'.repeat(4095));
    expect(bench.writes).toEqual([1]);
    bench.body.say('c');
    await settle();
    expect(bench.writes).toEqual([1, 4096]);
  });

  test('after a slower write, at once if its first byte has waited for 50 ms', async () => {
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

  test('256 KB at most; the rest follows at once', async () => {
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

  test('a slow store stops the reading of the socket', async () => {
    bench.start();
    bench.holdWrites();
    for (let i = 0; i < 40; i++) bench.body.say(new Uint8Array(60_000));
    await settle();
    const { reads } = bench.body;
    // The first piece, then full records under way, then as much as one that waits.
    expect(bench.writes).toEqual([60_000, ...Array<number>(5).fill(262_144)]);
    expect(reads).toBeLessThanOrEqual(28);
    await settle();
    expect(bench.body.reads).toBe(reads);
    bench.openGate();
    await settle();
    expect(bench.body.reads).toBe(41);
  });

  test('pumps that are ahead of the store share a bound, and each may always write', async () => {
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
  test('of ten minutes ends the stream as timed out', async () => {
    const pump = bench.start();
    bench.body.say('hello');
    await settle();
    bench.timers.pass(599_999);
    await settle();
    expect((await bench.stored()).closed).toBe(false);
    bench.timers.pass(1);
    expect(await pump.ended).toEqual({ outcome: 'timeout', error: 'UPSTREAM_BODY_TIMEOUT' });
    expect(bench.body.canceled).toBeGreaterThan(0);
    expect(await bench.stored()).toEqual({
      text: 'hello',
      closed: true,
      outcome: 'timeout',
      error: 'UPSTREAM_BODY_TIMEOUT',
    });
  });

  test('is counted from the last byte', async () => {
    const pump = bench.start();
    for (let i = 0; i < 5; i++) {
      bench.timers.pass(400_000);
      bench.body.say('.');
      await settle();
    }
    bench.timers.pass(599_999);
    await settle();
    expect((await bench.stored()).closed).toBe(false);
    bench.timers.pass(1);
    expect((await pump.ended).outcome).toBe('timeout');
  });

  test("in which the store kept the socket waiting is not the upstream's", async () => {
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
  test('leaves no hole: after a lost record nothing is written, and the end says so', async () => {
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

  test('leaves no hole where two records are under way: the second is refused for want of the first', async () => {
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

  test('after an abort outweighs it, since bytes are missing', async () => {
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

  test('is asked again every second; readers are sent away meanwhile', async () => {
    const pump = bench.start();
    bench.failWith = FULL_DISK;
    bench.body.end();
    await settle();
    for (let i = 0; i < 5; i++) {
      bench.timers.pass(1_000);
      await settle();
    }
    expect(bench.writes).toHaveLength(6);
    expect(bench.dropped).toBe(6);
    bench.failWith = undefined;
    bench.timers.pass(1_000);
    expect((await pump.ended).error).toBe('STORAGE_ERROR');
    expect((await bench.stored()).closed).toBe(true);
  });

  test('for ever is given up after a minute; the note stays, so that the next start ends the stream', async () => {
    const pump = bench.start();
    bench.failWith = FULL_DISK;
    bench.body.end();
    for (let i = 0; i < 61; i++) {
      await settle();
      bench.timers.pass(1_000);
    }
    expect(bench.writes).toHaveLength(60);
    expect(await pump.ended).toEqual({ outcome: 'failed', error: 'STORAGE_ERROR' });
    bench.failWith = undefined;
    expect(await bench.notedPumps()).toContain(bench.streamId);
    expect(bench.timers.set).toEqual([]);
  });

  test('does not hold up a process that is leaving', async () => {
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

describe('the body of the upstream is given up, so that its socket is free,', () => {
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
