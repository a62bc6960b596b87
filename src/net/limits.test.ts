import { expect, test } from 'vitest';
import { completeLimits, DEFAULT_LIMITS } from './limits.js';

test('without a limit of its own, a request has every default', () => {
  expect(completeLimits()).toEqual(DEFAULT_LIMITS);
  expect(DEFAULT_LIMITS).toEqual({
    totalMs: 30_000,
    headersMs: 30_000,
    idleMs: 30_000,
    bodyBytes: 10_000_000,
    wireBytes: 24_000_000,
  });
});

test('the deadlines of the head and of idle time follow the total', () => {
  expect(completeLimits({ totalMs: 60_000 })).toEqual({
    ...DEFAULT_LIMITS,
    totalMs: 60_000,
    headersMs: 60_000,
    idleMs: 60_000,
  });
});

test('the wire bound follows the body bound, with room for framing and for a body that does not compress', () => {
  expect(completeLimits({ bodyBytes: 1 })).toEqual({ ...DEFAULT_LIMITS, bodyBytes: 1, wireBytes: 4_000_002 });
});

test('each limit that is given stands as it is', () => {
  const given = { totalMs: 1, headersMs: 2, idleMs: 3, bodyBytes: 4, wireBytes: 5 };
  expect(completeLimits(given)).toEqual(given);
});
