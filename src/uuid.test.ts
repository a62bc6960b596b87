import { describe, expect, test } from 'vitest';
import { createUuidV7, isUuid } from './uuid.js';

describe('UUIDv7', () => {
  const uuidV7 = createUuidV7();
  test('has the form, the version and the variant of RFC 9562', () => {
    for (let i = 0; i < 1_000; i++) {
      expect(uuidV7(Date.now() + i)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });

  test('begins with its creation time', () => {
    const now = Date.now() + 1_000_000;
    expect(Number.parseInt(uuidV7(now).replace('-', '').slice(0, 12), 16)).toBe(now);
  });

  test('sorts by creation: within a millisecond, beyond the counter, and if the clock goes back', () => {
    const start = Date.now() + 2_000_000;
    const ids = Array.from({ length: 20_000 }, (_, i) => uuidV7(i % 3 === 2 ? start - i : start));
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['', false],
    ['proxy/..', false],
    ['0198F000-0000-7000-8000-000000000000', false],
    ['0198f000-0000-7000-8000-00000000000', false],
    ['0198f000-0000-7000-8000-000000000000 ', false],
    ['0198f000-0000-7000-8000-000000000000\n', false],
    ['0198f000-0000-7000-8000-000000000000', true],
  ])('%j is an id: %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});
