import { expect, test } from 'vitest';
import { type KeySpan, spansAt } from './sweep-segments.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEYS = Array.from({ length: 256 }, (_each, n) => n.toString(16).padStart(2, '0')).flatMap((prefix) =>
  ['0', '7', 'f'].map((digit) => `${prefix}/${prefix}${digit}0/00000000`),
);

const contains = ({ prefix, startAfter, until }: KeySpan, key: string) =>
  key.startsWith(prefix) &&
  (startAfter === undefined || key > startAfter) &&
  (until === undefined || key <= until);

test.each([0, 1, 11, 100, 20_000])('checks every key on day %i', (day) => {
  const seen = new Set<string>();
  for (let hour = 0; hour < 24; hour++) {
    const spans = spansAt(day * DAY_MS + hour * HOUR_MS);
    for (const key of KEYS) if (spans.some((span) => contains(span, key))) seen.add(key);
  }
  expect(seen.size).toBe(KEYS.length);
});

test('checks no key twice in an hour', () => {
  for (const day of [0, 13, 200]) {
    const spans = spansAt(day * DAY_MS);
    for (const key of KEYS) expect(spans.filter((span) => contains(span, key)).length).toBeLessThanOrEqual(1);
  }
});

test('starts at another key each day, so that none is always last', () => {
  const firsts = Array.from({ length: 11 * 16 }, (_each, day) => {
    const [first] = spansAt(day * DAY_MS);
    return `${first?.prefix}${first?.startAfter}`;
  });
  expect(new Set(firsts).size).toBeGreaterThan(150);
});
