import { expect, test } from 'vitest';
import { completeLimits, DEFAULT_LIMITS, HEADER_BYTES_MAX } from './limits.js';

test('a request without limits gets every default', () => {
  expect(completeLimits()).toEqual(DEFAULT_LIMITS);
  expect(DEFAULT_LIMITS).toEqual({
    totalMs: 30_000,
    headersMs: 30_000,
    idleMs: 30_000,
    bodyBytes: 10_000_000,
    wireBytes: 24_000_000,
  });
  expect(HEADER_BYTES_MAX).toBe(16_384);
});

test('headersMs and idleMs default to totalMs', () => {
  expect(completeLimits({ totalMs: 60_000 })).toEqual({
    ...DEFAULT_LIMITS,
    totalMs: 60_000,
    headersMs: 60_000,
    idleMs: 60_000,
  });
});

test('wireBytes scales with bodyBytes and leaves room for framing', () => {
  expect(completeLimits({ bodyBytes: 1 })).toEqual({ ...DEFAULT_LIMITS, bodyBytes: 1, wireBytes: 4_000_002 });
});

test('explicit limits are kept', () => {
  const given = { totalMs: 1, headersMs: 2, idleMs: 3, bodyBytes: 4, wireBytes: 5 };
  expect(completeLimits(given)).toEqual(given);
});
