import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksum } from './checksum.js';
import { encodeSegment, readArrivals, readSegment } from './segment.js';

const records = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 10 });

function segmentOf(parts: readonly Uint8Array[], start: number) {
  const data = Uint8Array.from(parts.flatMap((part) => [...part]));
  let end = start;
  const ends = parts.map((part) => {
    end += part.length;
    return end;
  });
  return { data, ends, segment: encodeSegment(data, { start, ends, arrivals: ends.map(() => null) }) };
}

test('any span reads back, with the record ends inside it', () => {
  fc.assert(
    fc.property(records, fc.nat(50), fc.nat(), fc.nat(), (parts, start, a, b) => {
      const { data, ends, segment } = segmentOf(parts, start);
      const [lo, hi] = [start + (a % (data.length + 1)), start + (b % (data.length + 1))].sort(
        (x, y) => x - y,
      ) as [number, number];
      const read = readSegment(segment, { lo, hi });
      expect(read?.corruptAt).toBeNull();
      expect([...(read?.bytes ?? [])]).toEqual([...data.slice(lo - start, hi - start)]);
      const inside = ends.filter((end) => end > lo && end < hi);
      expect(read?.ends).toEqual(hi > lo ? [...inside, hi] : []);
    }),
  );
});

test('a flipped bit invalidates its own record and nothing before it', () => {
  fc.assert(
    fc.property(records, fc.nat(), fc.nat(7), (parts, at, bit) => {
      const { data, ends, segment } = segmentOf(parts, 0);
      const damaged = at % segment.length;
      segment[damaged] = (segment[damaged] ?? 0) ^ (1 << bit);
      const read = readSegment(segment, { lo: 0, hi: data.length });
      if (damaged < data.length) {
        const first = [0, ...ends].filter((end) => end <= damaged).at(-1) ?? 0;
        expect(read?.corruptAt).toBe(first);
        expect([...(read?.bytes ?? [])]).toEqual([...data.slice(0, first)]);
      } else {
        expect(read).toBeUndefined();
      }
    }),
  );
});

test('a file that is not a segment is rejected', () => {
  for (const junk of [new Uint8Array(0), new Uint8Array(15), new Uint8Array(100)]) {
    expect(readSegment(junk, { lo: 0, hi: 5 })).toBeUndefined();
    expect(readArrivals(junk, { lo: 0, hi: 5 })).toBeUndefined();
  }
});

test('an index with more records than the file has room for is rejected', () => {
  const segment = encodeSegment(new Uint8Array(0), { start: 0, ends: [], arrivals: [] });
  const view = new DataView(segment.buffer);
  view.setUint32(4, 1, true);
  view.setUint32(8, checksum(segment.subarray(0, 8)), true);
  expect(readSegment(segment, { lo: 0, hi: 1 })).toBeUndefined();
});

test('a segment may be empty', () => {
  const segment = encodeSegment(new Uint8Array(0), { start: 7, ends: [], arrivals: [] });
  expect(segment).toHaveLength(16);
  expect(readSegment(segment, { lo: 7, hi: 7 })).toEqual({
    bytes: new Uint8Array(0),
    ends: [],
    corruptAt: null,
  });
});

test('the format on disk', () => {
  const segment = encodeSegment(new Uint8Array([65, 66, 67]), {
    start: 2,
    ends: [4, 5],
    arrivals: [1, null],
  });
  const entry = (end: number, sum: string, arrival: string) =>
    `${end.toString(16).padStart(2, '0')}000000${sum}${arrival}`;
  const sums = [[65, 66], [67]].map((bytes) => littleEndian(checksum(Uint8Array.from(bytes))));
  const index = [
    entry(4, sums[0] ?? '', '000000000000f03f'),
    entry(5, sums[1] ?? '', '000000000000f87f'),
    '0200000002000000',
  ].join('');
  const total = littleEndian(checksum(Uint8Array.from(Buffer.from(index, 'hex'))));
  expect(Buffer.from(segment).toString('hex')).toBe(`414243${index}${total}53445332`);
});

const littleEndian = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString('hex');
};

describe('a segment of the records [10, 12), [12, 15) and [15, 16)', () => {
  const data = Uint8Array.from([1, 2, 3, 4, 5, 6]);
  const make = () => encodeSegment(data, { start: 10, ends: [12, 15, 16], arrivals: [100, null, 300] });
  const arrival = (start: number, end: number, at: number | null) => ({ start, end, at });

  test.each([
    [10, 16, [12, 15, 16], [arrival(10, 12, 100), arrival(12, 15, null), arrival(15, 16, 300)]],
    [10, 12, [12], [arrival(10, 12, 100)]],
    [12, 15, [15], [arrival(12, 15, null)]],
    [11, 13, [12, 13], [arrival(11, 12, 100), arrival(12, 13, null)]],
    [13, 14, [14], [arrival(13, 14, null)]],
    [15, 16, [16], [arrival(15, 16, 300)]],
  ])('from %i to %i, records end at %j', (lo, hi, ends, arrivals) => {
    const bytes = data.subarray(lo - 10, hi - 10);
    expect(readSegment(make(), { lo, hi })).toEqual({ bytes, ends, corruptAt: null });
    expect(readArrivals(make(), { lo, hi })).toEqual(arrivals);
  });

  test.each([10, 11, 12, 16])('an empty span at %i has no records', (at) => {
    const nothing = { bytes: new Uint8Array(0), ends: [], corruptAt: null };
    expect(readSegment(make(), { lo: at, hi: at })).toEqual(nothing);
  });

  test('bytes after its last record are missing, and so damaged', () => {
    expect(readSegment(make(), { lo: 15, hi: 20 })).toEqual({
      bytes: data.subarray(5),
      ends: [16],
      corruptAt: 16,
    });
    expect(readArrivals(make(), { lo: 15, hi: 20 })).toEqual([arrival(15, 16, 300)]);
  });

  test.each([
    [10, 16, [1, 2], [12], 12],
    [11, 16, [2], [12], 12],
    [12, 13, [], [], 12],
    [13, 16, [], [], 12],
    [10, 12, [1, 2], [12], null],
    [15, 16, [6], [16], null],
  ])('with the second damaged, from %i to %i %j is readable', (lo, hi, bytes, ends, corruptAt) => {
    const segment = make();
    segment[3] = 0;
    expect(readSegment(segment, { lo, hi })).toEqual({ bytes: Uint8Array.from(bytes), ends, corruptAt });
  });

  test('a record without bytes is damage', () => {
    const segment = encodeSegment(data, { start: 10, ends: [12, 12, 16], arrivals: [null, null, null] });
    expect(readSegment(segment, { lo: 10, hi: 16 })).toEqual({
      bytes: data.subarray(0, 2),
      ends: [12],
      corruptAt: 12,
    });
  });

  test('can be read from a part of a larger buffer', () => {
    const larger = new Uint8Array(200);
    larger.set(make(), 33);
    const segment = larger.subarray(33, 33 + make().length);
    expect(readSegment(segment, { lo: 10, hi: 16 })?.bytes).toEqual(data);
    expect(readArrivals(segment, { lo: 10, hi: 12 })).toEqual([arrival(10, 12, 100)]);
  });
});

test('arrivals are kept by record, and a segment of the first format has none', () => {
  const data = new Uint8Array([1, 2, 3, 4, 5]);
  const segment = encodeSegment(data, { start: 10, ends: [12, 15], arrivals: [1_000.5, null] });
  expect(readArrivals(segment, { lo: 11, hi: 14 })).toEqual([
    { start: 11, end: 12, at: 1_000.5 },
    { start: 12, end: 14, at: null },
  ]);
  const older = withoutArrivals(segment, { dataBytes: 5, records: 2 });
  expect(readSegment(older, { lo: 10, hi: 15 })?.bytes).toEqual(data);
  expect(readArrivals(older, { lo: 10, hi: 15 })).toEqual([
    { start: 10, end: 12, at: null },
    { start: 12, end: 15, at: null },
  ]);
  expect(readArrivals(older.subarray(0, -1), { lo: 10, hi: 15 })).toBeUndefined();
});

/** Converts a segment to the first format, which had no arrival times. */
function withoutArrivals(
  segment: Uint8Array,
  { dataBytes, records }: { dataBytes: number; records: number },
) {
  const older = new Uint8Array(dataBytes + records * 8 + 16);
  older.set(segment.subarray(0, dataBytes));
  for (let index = 0; index < records; index++) {
    const from = dataBytes + index * 16;
    older.set(segment.subarray(from, from + 8), dataBytes + index * 8);
  }
  const footer = dataBytes + records * 8;
  older.set(segment.subarray(dataBytes + records * 16), footer);
  const view = new DataView(older.buffer);
  view.setUint32(footer + 8, checksum(older.subarray(dataBytes, footer + 8)), true);
  view.setUint32(footer + 12, 0x31534453, true);
  return older;
}
