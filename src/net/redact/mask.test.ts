/** Spans are merged and never shortened: no rule can reveal what another one hides. */
import { expect, test } from 'vitest';
import { Mask } from './mask.js';
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
