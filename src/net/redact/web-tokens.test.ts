/** The redactor finds web tokens by shape, whole, truncated or wrapped, and keeps other base64. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  ['tok eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def_123 end', 'tok [REDACTED] end'],
  ['eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0. x', '[REDACTED] x'],
  ['cut eyJhbGciOiJIUzI1NiIsInR5cCI6Ikp', 'cut [REDACTED]'],
  ['ZXlKaGJHY2lPaUpJVXpJMU5pSXNJblI1Y0NJNklrcFhWQ0o5LmV5SnpkV0lpT2lJeE1qTTBOVFkzT0Rrd0luMC4', '[REDACTED]'],
  ['eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4In0..aXY0.Y2lwaGVy.dGFn', '[REDACTED]'],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test.each(['eyJ', 'eyJmb28iOiJiYXIifQ', 'heyJude.is.a.song', 'ZXlK'])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
