import fc from 'fast-check';
import { expect, test } from 'vitest';
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
  }
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
