import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OriginMap } from './origin-map.js';

const map = new OriginMap([{ left: 'https://staging.example.com', right: 'https://example.com' }]);

describe('own hosts', () => {
  test.each<readonly [string, string]>([
    ['https://staging.example.com/a', 'https://{host}/a'],
    ['https://STAGING.example.com:443/a', 'https://{host}/a'],
    ['https://cdn.staging.example.com/', 'https://cdn.{host}/'],
    ['*.staging.example.com', '*.{host}'],
    ['https://staging.example.com:8443/', 'https://staging.example.com:8443/'],
    ['https://staging.example.com.evil.net/', 'https://staging.example.com.evil.net/'],
    ['https://notstaging.example.com/', 'https://notstaging.example.com/'],
    ['see staging.example.com.', 'see {host}.'],
    ['staging.example.com:80', '{host}'],
    ['staging.example.com:800', 'staging.example.com:800'],
    ['staging.example.com:4430', 'staging.example.com:4430'],
    ['staging.example.com:8', 'staging.example.com:8'],
    ['staging.example.com:a8', '{host}:a8'],
    ['staging.example.com: see', '{host}: see'],
    ['staging.example.com.9', 'staging.example.com.9'],
    ...['a', 'z', 'A', 'Z', '0', '9', '-', '_'].flatMap((char) => {
      const [before, after] = [`${char}staging.example.com`, `staging.example.com${char}`];
      return [
        [before, before],
        [after, after],
      ] as const;
    }),
    ...['@', '[', '`', '{', '/', ';'].map(
      (char) => [`${char}staging.example.com${char}`, `${char}{host}${char}`] as const,
    ),
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

test("unmapped text has the side's own hosts, and names of no pair stay", () => {
  const two = new OriginMap([
    { left: 'https://staging.example.com', right: 'https://example.com' },
    { left: 'https://img-test.example', right: 'https://img.example' },
  ]);
  const text = 'cdn.{host}/a {host2}/b {host3} {hosts}';
  expect(two.unmapText(text, 'left')).toBe('cdn.staging.example.com/a img-test.example/b {host3} {hosts}');
  expect(two.unmapText(text, 'right')).toBe('cdn.example.com/a img.example/b {host3} {hosts}');
});

describe('whether a text may name a host', () => {
  const mapOf = (...hosts: (readonly [string, string])[]) =>
    new OriginMap(hosts.map(([left, right]) => ({ left: `https://${left}`, right: `https://${right}` })));

  test('one without a dot is also found in a text without dots', () => {
    const mixed = mapOf(['a.example', 'b.example'], ['localhost', 'c.example']);
    expect(mixed.mayName('see localhost')).toBe(true);
    expect(mixed.mayName('see nothing')).toBe(false);
    expect(mixed.mapText('see localhost', 'left')).toBe('see {host2}');
  });

  test('a suffix that all share is enough from six characters on', () => {
    expect(mapOf(['a.ab.co', 'c.ab.co']).mayName('see z.ab.co')).toBe(true);
    expect(mapOf(['a.b.co', 'c.b.co']).mayName('see z.b.co')).toBe(false);
    expect(mapOf(['a.b.co', 'c.b.co']).mayName('see c.b.co')).toBe(true);
  });

  test('a text that is shorter than every host does not', () => {
    expect(mapOf(['a.example', 'b.example']).mayName('example')).toBe(false);
    expect(mapOf(['a.example', 'b.example']).mayName('A.EXAMPLE')).toBe(true);
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
