/** Spans are merged and never shortened: no rule can reveal what another one hides. */
import { expect, test } from 'vitest';
import { DENSE_CHARACTERS, DENSE_SPANS, Mask } from './mask.js';
import { createRedactor } from './redactor.js';

const TEXT = '0123456789abcdefghij';

const masked = (...spans: readonly (readonly [start: number, end: number, replacement?: string])[]) => {
  const mask = new Mask(TEXT);
  for (const span of spans) mask.add(...span);
  return mask.apply();
};

test.each([
  [
    'a span inside the one before',
    [
      [2, 12],
      [4, 6],
    ],
    '01[REDACTED]cdefghij',
  ],
  [
    'a span around the one before',
    [
      [4, 6],
      [2, 12],
    ],
    '01[REDACTED]cdefghij',
  ],
  [
    'a span inside another that has a different text',
    [
      [2, 12, 'x'],
      [4, 6],
    ],
    '01xcdefghij',
  ],
  [
    'a span around another that has a different text',
    [
      [4, 6],
      [2, 12, 'x'],
    ],
    '01xcdefghij',
  ],
  [
    'spans that overlap',
    [
      [2, 6],
      [5, 12],
    ],
    '01[REDACTED]cdefghij',
  ],
  [
    'spans that touch',
    [
      [2, 6],
      [6, 12],
    ],
    '01[REDACTED]cdefghij',
  ],
  [
    'spans apart',
    [
      [2, 4],
      [6, 8],
    ],
    '01[REDACTED]45[REDACTED]89abcdefghij',
  ],
  [
    'spans apart, the last one first',
    [
      [6, 8],
      [2, 4],
    ],
    '01[REDACTED]45[REDACTED]89abcdefghij',
  ],
  [
    'spans with the same start: the longer one decides the text',
    [
      [2, 4, 'x'],
      [2, 8, 'y'],
    ],
    '01y89abcdefghij',
  ],
  [
    'spans with the same start, the longer one first',
    [
      [2, 8, 'y'],
      [2, 4, 'x'],
    ],
    '01y89abcdefghij',
  ],
  ['an empty span', [[4, 4]], TEXT],
  ['the whole text', [[0, 20]], '[REDACTED]'],
] as const)('%s', (_name, spans, expected) => {
  expect(masked(...spans)).toBe(expected);
});

test('leaves a span that already equals its replacement', () => {
  const mask = new Mask('a [REDACTED] b');
  mask.add(2, 12);
  expect(mask.apply()).toBe('a [REDACTED] b');
});

test('hides every occurrence of a protected secret that contains another credential', () => {
  const secret = 'postgres://app:hunter2hunter2@db/tail-of-secret';
  const { text } = createRedactor({ secrets: [secret] });
  expect(text(`see ${secret} and ${secret} now`)).toBe('see [REDACTED] and [REDACTED] now');
});

test('joins spans that touch, in whatever order they were found', () => {
  const mask = new Mask('abcdef ghi');
  mask.add(3, 6);
  mask.add(0, 3);
  expect(mask.apply()).toBe('[REDACTED] ghi');
});

test('hides what follows a mask inside the same span', () => {
  const mask = new Mask('a [REDACTED]x b');
  mask.add(2, 13);
  expect(mask.apply()).toBe('a [REDACTED] b');
});

test('more than 4096 spans in fewer than 16 characters each hide the whole text', () => {
  const dense = (spans: number, length: number): string => {
    const mask = new Mask('x'.repeat(length));
    for (let at = 0; at < spans; at += 1) mask.add(at * 3, at * 3 + 1, 'y');
    return mask.apply();
  };
  expect([DENSE_SPANS, DENSE_CHARACTERS]).toEqual([4_096, 16]);
  expect(dense(4_097, 4_097 * 16 - 1)).toBe('[REDACTED]');
  expect(dense(4_097, 4_097 * 16)).toContain('yxxyxx');
  expect(dense(4_096, 4_096 * 3)).toContain('yxxyxx');
});

test.each([
  ['that touch', (at: number) => [at, at + 1] as const],
  ['with the same start', (at: number) => [1, at + 1] as const],
])('spans %s count as one', (_name, spanAt) => {
  const mask = new Mask('x'.repeat(5_002));
  for (let at = 1; at <= 5_000; at += 1) mask.add(...spanAt(at));
  expect(mask.apply()).toBe('x[REDACTED]x');
});
