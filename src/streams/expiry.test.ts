import { expect, test } from 'vitest';
import { endOf, isExpired, readLifetime } from './expiry.js';

const SLIDING = { ttlSeconds: 60, expiresAt: null, accessedAt: 1_000 };
const FIXED = { ttlSeconds: null, expiresAt: 5_000, accessedAt: 1_000 };
const ENDLESS = { ttlSeconds: null, expiresAt: null, accessedAt: 1_000 };

test('a time to live counts from the last access, a fixed end does not move', () => {
  expect([SLIDING, FIXED, ENDLESS].map(endOf)).toEqual([61_000, 5_000, null]);
  expect(endOf({ ...SLIDING, ttlSeconds: 0 })).toBe(1_000);
});

test('a stream exists until the millisecond it expires', () => {
  expect([60_999, 61_000].map((now) => isExpired(SLIDING, now))).toEqual([false, true]);
  expect([4_999, 5_000].map((now) => isExpired(FIXED, now))).toEqual([false, true]);
  expect(isExpired(ENDLESS, Number.MAX_SAFE_INTEGER)).toBe(false);
});

test.each([
  [null, null, null, null],
  ['0', null, 0, null],
  ['9999999999', null, 9_999_999_999, null],
  [null, '2026-01-02T03:04:05Z', null, Date.UTC(2026, 0, 2, 3, 4, 5)],
  [null, '2026-01-02t03:04:05.25z', null, Date.UTC(2026, 0, 2, 3, 4, 5, 250)],
  [null, '2026-01-02T03:04:05+01:00', null, Date.UTC(2026, 0, 2, 2, 4, 5)],
])('Stream-TTL %s and Stream-Expires-At %s are read', (ttl, expires, ttlSeconds, expiresAt) => {
  expect(readLifetime(ttl, expires)).toEqual({ ttlSeconds, expiresAt });
});

test.each([
  ['60', '2026-01-02T03:04:05Z', 'cannot be combined'],
  ['', null, 'whole number'],
  ['01', null, 'whole number'],
  ['-1', null, 'whole number'],
  ['1.5', null, 'whole number'],
  ['1 ', null, 'whole number'],
  ['10000000000', null, 'whole number'],
  [null, '', 'RFC 3339'],
  [null, '2026-01-02', 'RFC 3339'],
  [null, '2026-01-02T03:04:05', 'RFC 3339'],
  [null, '2026-13-02T03:04:05Z', 'RFC 3339'],
  [null, 'x2026-01-02T03:04:05Z', 'RFC 3339'],
  [null, '+002026-01-02T03:04:05Z', 'RFC 3339'],
  [null, '2026-01-02T03:04:05Z ', 'RFC 3339'],
  [null, '2026-01-02T03:04:05Zx', 'RFC 3339'],
])('Stream-TTL %j and Stream-Expires-At %j are refused', (ttl, expires, message) => {
  expect(() => readLifetime(ttl, expires)).toThrow(message);
});
