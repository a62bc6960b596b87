import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-time.js';
import {
  canonicalPath,
  collectionOf,
  isReservedPath,
  PathPattern,
  readPattern,
  readStreamPath,
  splitStreamId,
  streamIdOf,
} from './stream-path.js';

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
    ['exact/path', ['exact/path'], ['exact/path/x', 'exact', 'exact/other', 'other/path']],
    ['a/%2a/b', ['a/*/b', 'a/%2A/b'], ['a/x/b', 'a/b']],
    ['**/a/**/b/**', ['a/b', 'x/a/y/b/z', 'a/a/b'], ['b/a', 'a/x']],
    ['*/**', ['a', 'a/b/c'], []],
  ])('%s matches the right paths', (text, yes, no) => {
    const pattern = new PathPattern(text);
    expect(yes.filter((path) => pattern.matches(path))).toEqual(yes);
    expect(no.filter((path) => pattern.matches(path))).toEqual([]);
    for (const path of yes) expect(path.startsWith(pattern.prefix)).toBe(true);
  });

  test.each([
    ['events/*', 'events/'],
    ['events/a/*/b', 'events/a/'],
    ['events/**', 'events'],
    ['*/a', ''],
    ['a/b%2a/c', 'a/'],
    ['exact/path', 'exact/path'],
  ])('all matches of %s begin with %j', (text, prefix) => {
    expect(new PathPattern(text).prefix).toBe(prefix);
  });

  test.each([
    ['/a/b//', 'a/b'],
    ['x'.repeat(1024), 'x'.repeat(1024)],
    [Array.from({ length: 64 }, () => '*').join('/'), Array.from({ length: 64 }, () => '*').join('/')],
    ['a/__ds/x', 'a/__ds/x'],
    ['__dsx', '__dsx'],
  ])('accepts %j', (text, kept) => {
    expect(readPattern(text).text).toBe(kept);
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
    '__ds',
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
    ['caf%c3%a9', 'caf%C3%A9'],
    ['a/__ds', 'a/__ds'],
    ['__dsx', '__dsx'],
    ['x'.repeat(1024), 'x'.repeat(1024)],
  ])('%j is stored as %j', (given, kept) => {
    expect(readStreamPath(given, 'streams')).toBe(kept);
  });

  test.each([
    '',
    '//',
    '..',
    '../../x',
    '../../a/path/that/is/longer/than/the/root',
    'a?',
    'a#',
    'a?b',
    'a#b',
    'x'.repeat(1025),
    '__ds',
    '__ds/jwks.json',
    'x/../__ds/a',
    'x%2F..%2Fy',
    'x%2F.%2Fy',
    '__ds%2Fa',
    7,
    null,
  ])('refuses %j', (given) => {
    expect(() => readStreamPath(given, 'streams')).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    );
  });

  test('outer slashes are dropped, up to a total of eight times the longest path', () => {
    const slashes = '/'.repeat(8 * 1024 - 1);
    expect([`${slashes}a`, `a${slashes}`].map((text) => readStreamPath(text, 'streams'))).toEqual(['a', 'a']);
    expect(() => readStreamPath(`${slashes}/a`, 'streams')).toThrow('expected the path of a stream');
  });

  test.each([
    ['a/b', 'a/b'],
    ['a%2fb%20c', 'a/b%20c'],
    ['a%2F..', undefined],
    ['.%2Fa', undefined],
    ['a..%2Fb', 'a../b'],
  ])('the canonical spelling of %s is %s', (given, kept) => {
    expect(canonicalPath(given)).toBe(kept);
  });

  test.each([
    ['__ds', true],
    ['__ds/jwks.json', true],
    ['__dsx', false],
    ['a/__ds', false],
  ])('%s belongs to the control routes: %s', (path, isReserved) => {
    expect(isReservedPath(path)).toBe(isReserved);
  });

  test('stream ids round-trip', () => {
    expect(splitStreamId(streamIdOf('acme', 'a/b'))).toEqual({ tenant: 'acme', path: 'a/b' });
    expect(splitStreamId(streamIdOf('', 'a/b'))).toEqual({ tenant: '', path: 'a/b' });
    for (const id of ['proxy/acme/x', 'stream/acme', 'xstream/acme/a']) {
      expect(splitStreamId(id)).toBeUndefined();
    }
  });

  test('the streams of a tenant are one collection', () => {
    expect(collectionOf(streamIdOf('acme', 'a/b'))).toBe('stream/acme');
  });
});
