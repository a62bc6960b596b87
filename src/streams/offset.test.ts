import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePositions, formatOffset, parseOffset, START } from './offset.js';

const position = fc.record({ chunk: fc.nat(99_999_999), position: fc.nat(2_000_000_000) });

test('offsets round-trip, and sort as text in the order of their positions', () => {
  fc.assert(
    fc.property(position, position, (a, b) => {
      expect(parseOffset(formatOffset('a1b2c', a))).toEqual({ kind: 'at', hash: 'a1b2c', position: a });
      const [x, y] = [formatOffset('a1b2c', a), formatOffset('a1b2c', b)];
      expect(Math.sign(comparePositions(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0);
    }),
  );
});

test.each([
  '',
  ' ',
  '0',
  'abcde:0:0',
  'ABCDE:00000000:0000000000',
  'xabcde:00000000:0000000000',
  'abcde:00000000:00000000001',
  'abcde:00000000:0000000000 ',
  '../x',
  'a,b',
  '-2',
])('%j is not an offset', (text) => {
  expect(() => parseOffset(text)).toThrow(expect.objectContaining({ code: 'OFFSET_INVALID' }));
});

test('parses the special tokens for the start, the tail and past the tail', () => {
  expect(parseOffset('-1')).toEqual({ kind: 'start' });
  expect(parseOffset('now')).toEqual({ kind: 'now' });
  expect(parseOffset('0000000000000000_0000000000000000')).toEqual({ kind: 'start' });
  expect(parseOffset('9999999999999999_9999999999999999')).toEqual({ kind: 'beyond' });
});

test('positions are compared by chunk, then within the chunk, and begin at zero', () => {
  const at = (chunk: number, position: number) => ({ chunk, position });
  expect(START).toEqual(at(0, 0));
  expect(comparePositions(at(1, 5), at(1, 5))).toBe(0);
  expect(comparePositions(at(1, 5), at(1, 6))).toBeLessThan(0);
  expect(comparePositions(at(2, 0), at(1, 6))).toBeGreaterThan(0);
  expect(comparePositions(at(1, 9), at(2, 1))).toBeLessThan(0);
});

test('an offset has a fixed width', () => {
  expect(formatOffset('a1b2c', { chunk: 12, position: 345 })).toBe('a1b2c:00000012:0000000345');
});
