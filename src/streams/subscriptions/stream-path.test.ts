import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-time.js';
import { PathPattern, readPattern, readStreamPath, splitStreamId, streamIdOf } from './stream-path.js';

describe('patterns', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['events/*', ['events/a', 'events/%20'], ['events', 'events/a/b', 'event/a', 'xevents/a']],
    ['**', ['a', 'a/b/c'], []],
    ['a/**', ['a', 'a/b', 'a/b/c'], ['ab', 'b/a']],
    ['**/z', ['z', 'a/z', 'a/b/z'], ['z/a', 'az']],
    ['a/**/b/*/c', ['a/b/x/c', 'a/q/b/x/c', 'a/b/b/b/x/c'], ['a/b/c', 'a/b/x/y/c']],
    ['a/%2A', ['a/*', 'a/%2a'], ['a/b']],
    ['a/b*c/d', ['a/b*c/d', 'a/b%2Ac/d'], ['a/bxc/d']],
    ['*', ['a', '*'], ['a/b']],
    ['exact/path', ['exact/path'], ['exact/path/x', 'exact']],
  ])('%s matches the right paths', (text, yes, no) => {
    const pattern = new PathPattern(text);
    expect(yes.filter((path) => pattern.matches(path))).toEqual(yes);
    expect(no.filter((path) => pattern.matches(path))).toEqual([]);
    for (const path of yes) expect(path.startsWith(pattern.prefix)).toBe(true);
  });

  test('matching many stars takes at most segments × segments steps', () => {
    const pattern = readPattern(Array.from({ length: 31 }, () => '**/a').join('/'));
    const path = Array.from({ length: 500 }, () => 'a').join('/');
    const match = () => expect(pattern.matches(`${path}/b`)).toBe(false);
    expect(cpuMs(match)).toBeLessThan(250);
  });

  test.each([
    '',
    '/',
    'a?b',
    'a#b',
    '__ds/x',
    'x'.repeat(1025),
    Array.from({ length: 65 }, () => 'a').join('/'),
  ])('refuses %j', (text) => {
    expect(() => readPattern(text)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });
});

describe('paths', () => {
  test.each([
    ['/a/b/', 'a/b'],
    ['a b', 'a%20b'],
    ['a/../b', 'b'],
    ['a%2Fb', 'a/b'],
    ['a%3ab%20c', 'a:b%20c'],
  ])('%j is stored as %j', (given, kept) => {
    expect(readStreamPath(given, 'streams')).toBe(kept);
  });

  test.each([
    '',
    '//',
    '..',
    '../../x',
    'a?b',
    'a#b',
    '__ds',
    '__ds/jwks.json',
    'x/../__ds/a',
    'x%2F..%2Fy',
    '__ds%2Fa',
    7,
    null,
  ])('refuses %j', (given) => {
    expect(() => readStreamPath(given, 'streams')).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    );
  });

  test('stream ids round-trip', () => {
    expect(splitStreamId(streamIdOf('acme', 'a/b'))).toEqual({ tenant: 'acme', path: 'a/b' });
    expect(splitStreamId('proxy/acme/x')).toBeUndefined();
  });
});
