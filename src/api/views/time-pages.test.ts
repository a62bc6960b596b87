import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './listed-stream.js';
import { pageOf, readCursor } from './time-pages.js';

const ID = '0193b3c4-0000-7000-8000-000000000001';

test('reads the cursor that a page returned', () => {
  const { page, next } = pageOf([{ at: 2 }, { at: 1 }], 1, ({ at }) => `${at}.${ID}`);
  expect(page).toEqual([{ at: 2 }]);
  expect(readCursor(next ?? undefined)).toEqual({ at: 2, id: ID });
  const position = { createdAt: 2, id: 'acme/path' };
  expect(decodeCursor(encodeCursor(position))).toEqual(position);
});

test('the last page has no cursor', () => {
  expect(pageOf([{ at: 1 }], 1, () => 'unused').next).toBeNull();
  expect(readCursor(undefined)).toBeUndefined();
});

test('every list refuses a foreign cursor in the same words', () => {
  const refused = 'query.cursor must be the "next" of an earlier page.';
  expect(() => readCursor('nonsense')).toThrow(refused);
  expect(() => decodeCursor('nonsense')).toThrow(refused);
});
