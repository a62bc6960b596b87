import { afterEach, describe, expect, test } from 'vitest';
import { InlineStreams } from '../../test/support/inline-streams.js';
import { segmentKey } from './object-store.js';
import { digestOf } from './read-spans.js';
import { sealChunk } from './seal-chunk.js';
import { readArrivals, readSegment } from './segment.js';

const MIB = 1_048_576;
const HOUR = 3_600_000;
let streams: InlineStreams;

afterEach(() => streams.close());

/** Fills a chunk with records of these lengths, without sealing it. */
async function fill(lengths: readonly number[]): Promise<void> {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  streams = new InlineStreams({ chunkBytes: total, limits: { sealPauseMs: HOUR } });
  await streams.create('s');
  const input = { contentType: null, seq: null, producer: null, close: false, bytesMax: 1e9 };
  for (const [n, length] of lengths.entries()) {
    streams.engine.append('s', { ...input, data: new Uint8Array(length).fill(n + 1), now: 1_000 + n });
  }
}

async function seal() {
  const stream = await streams.state('s');
  streams.calls.length = 0;
  return sealChunk(streams.deps, { stream, chunk: 0 });
}

async function segment(): Promise<Uint8Array | undefined> {
  return streams.bucket.get(segmentKey(digestOf((await streams.state('s')).life), 0));
}

describe('a full chunk', () => {
  test('becomes a segment with its bytes and arrivals, and its rows are deleted', async () => {
    await fill([3, 4]);
    expect(await seal()).toBe('sealed');
    expect(streams.calls).toEqual(['chunks', 'arrivals', 'readHot', 'markCold']);
    const bytes = await segment();
    if (!bytes) throw new Error('there is no segment');
    expect(readSegment(bytes, { lo: 0, hi: 7 })).toEqual({
      bytes: Uint8Array.from([1, 1, 1, 2, 2, 2, 2]),
      ends: [3, 7],
      corruptAt: null,
    });
    expect(readArrivals(bytes, { lo: 0, hi: 7 })?.map(({ at }) => at)).toEqual([1_000, 1_001]);
    const state = await streams.state('s');
    expect(await streams.deps.store.readHot(state, { chunk: 0, lo: 0, hi: 7 })).toBe('cold');
  });

  test('of a fork begins where the fork does', async () => {
    streams = new InlineStreams({ chunkBytes: 10, limits: { sealPauseMs: HOUR } });
    await streams.create('s', 'abc');
    await streams.fork('f', 's');
    await streams.append('f', 'defghijkl');
    const stream = await streams.state('f');
    expect(await sealChunk(streams.deps, { stream, chunk: 0 })).toBe('sealed');
    const bytes = streams.bucket.get(segmentKey(digestOf(stream.life), 0)) ?? new Uint8Array(0);
    const read = readSegment(bytes, { lo: 3, hi: 12 });
    expect([new TextDecoder().decode(read?.bytes), read?.ends]).toEqual(['defghijkl', [12]]);
  });

  test.each([
    ['short records together', [MIB / 2, MIB / 2, 1], [`0-${MIB}`, `${MIB}-${MIB + 1}`]],
    ['a record of a whole part', [MIB, 5], [`0-${MIB}`, `${MIB}-${MIB + 5}`]],
    [
      'a long record in several parts',
      [2 * MIB + 7],
      [`0-${MIB}`, `${MIB}-${2 * MIB}`, `${2 * MIB}-${2 * MIB + 7}`],
    ],
    ['a long record after a short one', [9, MIB + 1], ['0-9', `9-${MIB + 9}`, `${MIB + 9}-${MIB + 10}`]],
    [
      'what is left of a long record with the next ones',
      [MIB + 2, 3, MIB],
      [`0-${MIB}`, `${MIB}-${MIB + 5}`, `${MIB + 5}-${2 * MIB + 5}`],
    ],
  ])('is read in parts of at most 1 MiB: %s', async (_name, lengths, parts) => {
    await fill(lengths);
    expect(await seal()).toBe('sealed');
    expect(streams.reads).toEqual(parts.map((part) => `0:${part}`));
    const bytes = await segment();
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const read = bytes && readSegment(bytes, { lo: 0, hi: total });
    expect([read?.corruptAt, read?.bytes.length, read?.ends.length]).toEqual([null, total, lengths.length]);
  });

  test('is read in parts of at most 2000 records', async () => {
    await fill(Array(4_000).fill(1));
    expect(await seal()).toBe('sealed');
    expect(streams.reads).toEqual(['0:0-2000', '0:2000-4000']);
    expect(streams.calls.filter((name) => name === 'arrivals')).toHaveLength(2);
    const bytes = await segment();
    expect(bytes && readSegment(bytes, { lo: 0, hi: 4_000 })?.ends).toHaveLength(4_000);
  });
});

describe('a chunk that cannot be sealed', () => {
  const spoil = (position: number) =>
    streams.database.run('UPDATE chunks SET checksum = checksum + 1 WHERE position = ?', [position]);

  test('because it is damaged is reported and stays', async () => {
    await fill([3, 4, 5]);
    spoil(3);
    expect([await seal(), streams.corrupted]).toEqual(['corrupt', [['s', { chunk: 0, position: 3 }]]]);
    expect(streams.calls).toEqual(['chunks', 'arrivals', 'readHot', 'readHot', 'markCorrupt']);
    expect(streams.bucket.size).toBe(0);
  });

  test('because its last record is missing is damaged from there', async () => {
    await fill([3, 4, 5]);
    streams.database.run('DELETE FROM chunks WHERE position = 7', []);
    expect([await seal(), streams.corrupted]).toEqual(['corrupt', [['s', { chunk: 0, position: 7 }]]]);
  });

  test('because there is no such chunk counts as removed', async () => {
    await fill([3]);
    const stream = await streams.state('s');
    expect(await sealChunk(streams.deps, { stream, chunk: 5 })).toBe('removed');
  });

  test.each(['chunks', 'arrivals', 'readHot'] as const)(
    'because the stream is removed before %s leaves nothing behind',
    async (method) => {
      await fill([3, 4]);
      const state = await streams.state('s');
      streams.before(method, () => streams.engine.remove(state));
      expect([await seal(), streams.bucket.size]).toEqual(['removed', 0]);
    },
  );

  test('because the stream is removed at the end leaves no segment behind', async () => {
    await fill([3, 4]);
    const state = await streams.state('s');
    streams.before('markCold', () => streams.engine.remove(state));
    expect([await seal(), streams.bucket.size]).toEqual(['removed', 0]);
  });

  test.each(['arrivals', 'readHot'] as const)(
    'because another call sealed it before %s is sealed',
    async (method) => {
      await fill([3, 4]);
      const state = await streams.state('s');
      streams.before(method, () => streams.engine.markCold(state, 0));
      expect([await seal(), streams.bucket.size]).toEqual(['sealed', 0]);
    },
  );
});
