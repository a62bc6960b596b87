import { afterEach, expect, test, vi } from 'vitest';
import { cursorAt, nextCursor } from './cursor.js';

afterEach(() => void vi.restoreAllMocks());

const EPOCH = Date.UTC(2024, 9, 9);

test('a cursor counts intervals of 20 seconds since 9 October 2024', () => {
  expect([0, 19_999, 20_000, 200_000].map((ms) => cursorAt(EPOCH + ms))).toEqual([0, 0, 1, 10]);
});

test.each([null, '', '9', '0', 'x11', '11x', '-11', '1.5', '1000000000000000'])(
  'a reader that sends the cursor %j gets the current one',
  (given) => {
    expect(nextCursor(EPOCH + 200_000, given)).toBe(10);
  },
);

test.each([
  [0, '10', 11],
  [0.999, '10', 190],
  [0.999, '11', 191],
  [0.5, '999999999999999', 1_000_000_000_000_090],
])(
  'with %d by chance, a reader at or ahead of the interval advances from %s to %i',
  (chance, given, next) => {
    vi.spyOn(Math, 'random').mockReturnValue(chance);
    expect(nextCursor(EPOCH + 200_000, given)).toBe(next);
  },
);
