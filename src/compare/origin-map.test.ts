import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OriginMap } from './origin-map.js';

const map = new OriginMap([{ left: 'https://staging.example.com', right: 'https://example.com' }]);

describe('own hosts', () => {
  test.each([
    ['https://staging.example.com/a', 'https://{host}/a'],
    ['https://STAGING.example.com:443/a', 'https://{host}/a'],
    ['https://cdn.staging.example.com/', 'https://cdn.{host}/'],
    ['*.staging.example.com', '*.{host}'],
    ['https://staging.example.com:8443/', 'https://staging.example.com:8443/'],
    ['https://staging.example.com.evil.net/', 'https://staging.example.com.evil.net/'],
    ['https://notstaging.example.com/', 'https://notstaging.example.com/'],
    ['see staging.example.com.', 'see {host}.'],
    ['https://example.com/', 'https://example.com/'],
  ])('maps %s to %s on the left', (text, mapped) => expect(map.mapText(text, 'left')).toBe(mapped));

  test('the longer of two nested hosts wins on either side', () => {
    expect(map.mapText('https://staging.example.com https://example.com', 'right')).toBe(
      'https://staging.example.com https://{host}',
    );
    expect(map.isOwn('staging.example.com', 'right')).toBe(false);
    expect(map.isOwn('api.example.com', 'right')).toBe(true);
  });

  test('additional pairs get names of their own, and a port is part of the host', () => {
    const more = new OriginMap([
      { left: 'http://127.0.0.1:3001', right: 'http://127.0.0.1:3002' },
      { left: 'https://img-test.example', right: 'img.example' },
    ]);
    expect(more.mapText('http://127.0.0.1:3001/a https://img-test.example/b', 'left')).toBe(
      'http://{host}/a https://{host2}/b',
    );
    expect(more.mapText('http://127.0.0.1:3002/a https://img.example/b', 'right')).toBe(
      'http://{host}/a https://{host2}/b',
    );
    expect(more.mapText('http://127.0.0.1:30011/', 'left')).toBe('http://127.0.0.1:30011/');
  });
});

test("finds the other side's hosts, but neither own hosts nor hosts of both sides", () => {
  expect(map.foreignIn('a https://staging.example.com b', 'right')).toEqual(['staging.example.com']);
  expect(map.foreignIn('https://staging.example.com https://cdn.example.com', 'left')).toEqual([]);
  expect(map.foreignIn('https://example.com/', 'left')).toEqual(['example.com']);
  expect(map.foreignIn('https://cdn.staging.example.com/', 'right')).toEqual(['staging.example.com']);
  const same = new OriginMap([{ left: 'https://a.example', right: 'https://a.example' }]);
  expect(same.foreignIn('https://a.example', 'right')).toEqual([]);
});

test.each([
  ['.staging.example.com', 'left', '{host}'],
  ['example.com', 'left', '{host}^1'],
  ['example.com', 'right', '{host}'],
  ['other.net', 'left', 'other.net'],
] as const)('maps the cookie domain %s on the %s side to %s', (domain, side, mapped) => {
  expect(map.mapDomain(domain, side)).toBe(mapped);
});

test('texts that differ only in the own host map to the same text, wherever the host is', () => {
  const part = fc
    .stringMatching(/^[ /?=&"'<>;,a-z]{1,6}$/)
    .filter((text) => !/[a-z0-9_-]$|^[a-z0-9_-]/.test(text));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const left = map.mapText(parts.join('staging.example.com'), 'left');
      expect(left).toBe(map.mapText(parts.join('example.com'), 'right'));
      expect(left).toBe(parts.join('{host}'));
    }),
  );
});

test('twins map to the same text, and plain texts are recognized as twins', () => {
  const pieces = [
    'staging.example.com',
    'example.com',
    'https://',
    '/',
    '.',
    'a',
    ':443',
    ':8080',
    '-',
    'Example.com',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 6 });
  fc.assert(
    fc.property(text, text, (head, tail) => {
      const around = (host: string) => `${head.join('')}${host}${tail.join('')}`;
      const a = around('staging.example.com');
      const b = around('example.com');
      if (map.isTwin(a, b, ['left', 'right'])) expect(map.mapText(a, 'left')).toBe(map.mapText(b, 'right'));
      if (map.isTwin(b, a, ['right', 'left'])) expect(map.mapText(b, 'right')).toBe(map.mapText(a, 'left'));
    }),
    { numRuns: 5_000 },
  );
  const sides = ['left', 'right'] as const;
  expect(map.isTwin('"https://staging.example.com/a"', '"https://example.com/a"', sides)).toBe(true);
  expect(map.isTwin('https://staging.example.com.evil', 'https://example.com.evil', sides)).toBe(false);
});
