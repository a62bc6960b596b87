import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeSegment, readSegment } from './segment.js';

const records = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 10 });

function segmentOf(parts: readonly Uint8Array[], start: number) {
  const data = Uint8Array.from(parts.flatMap((part) => [...part]));
  let end = start;
  const ends = parts.map((part) => {
    end += part.length;
    return end;
  });
  return { data, ends, segment: encodeSegment(data, ends, start) };
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

test('a flipped bit spoils its own record and nothing before it', () => {
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

test('what is no segment is told from one with a damaged record', () => {
  for (const junk of [new Uint8Array(0), new Uint8Array(15), new Uint8Array(100)]) {
    expect(readSegment(junk, { lo: 0, hi: 5 })).toBeUndefined();
  }
});
