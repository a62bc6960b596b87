import { expect, test } from 'vitest';
import { cachePolicy, isSharedCacheable } from './cache-policy.js';
import { parseDirectives } from './directives.js';
import { isAllowedByRobots } from './robots-rules.js';

const allowed = (path: string, disallow: string[], allow: string[] = [], agents = ['*']) =>
  isAllowedByRobots([{ agents, allow, disallow }] as never, path);

test.each([
  ['/a', ['/b'], true],
  ['/ab', ['/a'], false],
  ['/ba', ['a'], true],
  ['/', [''], true],
  ['/a/b', ['/*b'], false],
  ['/a/c', ['/*b'], true],
  ['/a', ['/a$'], false],
  ['/ab', ['/a$'], true],
  ['/axb', ['/a*b$'], false],
  ['/axbc', ['/a*b$'], true],
  ['/ab', ['/ab*b$'], true],
  ['/abb', ['/ab*b$'], false],
  ['/a1b2c', ['/a*b*c'], false],
  ['/a1c2b', ['/a*b*c'], true],
  ['/bab', ['/a*b'], true],
  ['/a', ['/a*$'], false],
])('robots: the path %s under %j is allowed: %s', (path, disallow, expected) => {
  expect(allowed(path, disallow)).toBe(expected);
});

test('robots: the longest pattern decides, Allow wins a tie, and other agents do not count', () => {
  expect(allowed('/ab', ['/a'], ['/ab'])).toBe(true);
  expect(allowed('/ab', ['/ab'], ['/a'])).toBe(false);
  expect(allowed('/ab', ['/a'], ['/a'])).toBe(true);
  expect(allowed('/ab', ['/'], [], ['otherbot'])).toBe(true);
  expect(allowed('/ab', ['/'], [], ['otherbot', '*'])).toBe(false);
  expect(isAllowedByRobots([], '/')).toBe(true);
});

const DATE = 'Tue, 03 Mar 2026 10:00:00 GMT';
const policy = (cacheControl: string, expires?: string, date: string | undefined = DATE) =>
  cachePolicy({ cacheControl: parseDirectives([cacheControl], ','), expires, date });

test.each([
  ['max-age=60', undefined, 60],
  ['max-age=60, s-maxage=5', undefined, 5],
  ['max-age=60', DATE, 60],
  ['no-cache, max-age=60', undefined, 0],
  ['', undefined, undefined],
  ['', 'Tue, 03 Mar 2026 10:00:01 GMT', 1],
  ['', 'Tue, 03 Mar 2026 09:00:00 GMT', 0],
  ['', '0', 0],
  ['', '2026', 0],
  ['', 'never', 0],
])('cache: %j with Expires %s is fresh for %s s', (cacheControl, expires, seconds) => {
  expect(policy(cacheControl, expires).sharedSeconds).toBe(seconds);
});

test('cache: without a date of its own an expiry says nothing', () => {
  const fields = { cacheControl: parseDirectives([], ','), expires: 'Tue, 03 Mar 2026 10:00:01 GMT' };
  expect(cachePolicy({ ...fields, date: undefined }).sharedSeconds).toBeUndefined();
  expect(cachePolicy({ ...fields, date: 'today' }).sharedSeconds).toBeUndefined();
});

test.each([
  ['public', true],
  ['', false],
  ['max-age=1', true],
  ['max-age=0', false],
  ['private, max-age=1', false],
  ['no-store', false],
  ['public, no-cache', false],
])('cache: a shared cache may store %j: %s', (cacheControl, stores) => {
  const fields = { cacheControl: parseDirectives([cacheControl], ','), expires: undefined, date: DATE };
  expect(isSharedCacheable(fields)).toBe(stores);
});
