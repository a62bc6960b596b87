import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.js';
import { compileAllowlist } from './allowlist.js';

const allows = (patterns: readonly string[], url: string) =>
  compileAllowlist(patterns).match(url) !== undefined;

describe('patterns', () => {
  test.each([
    ['api.example.com', 'http://api.example.com/', true],
    ['api.example.com', 'https://api.example.com/any/path?q=1#f', true],
    ['api.example.com', 'https://api.example.com:443/', true],
    ['api.example.com', 'http://api.example.com:80/', true],
    ['api.example.com', 'http://api.example.com:443/', false],
    ['api.example.com', 'https://api.example.com:8443/', false],
    ['api.example.com', 'https://other.example.com/', false],
    ['api.example.com', 'https://xapi.example.com/', false],
    ['api.example.com', 'https://api.example.com.evil.test/', false],
    ['https://api.example.com', 'https://api.example.com/x', true],
    ['https://api.example.com', 'http://api.example.com/x', false],
    ['HTTPS://API.example.COM', 'https://api.example.com/x', true],
    ['api.example.com:8080', 'http://api.example.com:8080/', true],
    ['api.example.com:8080', 'https://api.example.com:8080/', true],
    ['api.example.com:8080', 'http://api.example.com/', false],
    ['api.example.com:443', 'https://api.example.com/', true],
    ['api.example.com:443', 'http://api.example.com/', false],
    ['api.example.com:*', 'http://api.example.com:1234/', true],
    ['api.example.com:*', 'http://api.example.com/', true],
    ['api.example.com/v1/*', 'https://api.example.com/v1', true],
    ['api.example.com/v1/*', 'https://api.example.com/v1/', true],
    ['api.example.com/v1/*', 'https://api.example.com/v1/a/b?x=/v2', true],
    ['api.example.com/v1/*', 'https://api.example.com/v10', false],
    ['api.example.com/v1/*', 'https://api.example.com/v2/a', false],
    ['api.example.com/v1/*', 'https://api.example.com/', false],
    ['api.example.com/v1/*', 'https://api.example.com/V1/a', false],
    ['api.example.com/v1', 'https://api.example.com/v1', true],
    ['api.example.com/v1', 'https://api.example.com/v1/', false],
    ['api.example.com/v1', 'https://api.example.com/v1?x#y', true],
    ['api.example.com/*/chat', 'https://api.example.com/v1/chat', true],
    ['api.example.com/*', 'https://api.example.com/anything', true],
    ['*.example.com', 'https://a.example.com/', true],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://evilexample.com/', false],
    ['*.example.com', 'https://example.com.evil.test/', false],
    ['*', 'https://anything.test/', true],
    ['*', 'ftp://anything.test/', false],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['xn--bcher-kva.example', 'https://BÜCHER.example/', true],
    ['[2001:db8::1]:8080', 'http://[2001:DB8:0::1]:8080/', true],
    ['[2001:db8::1]', 'http://[2001:db8::2]/', false],
    ['192.0.2.7', 'http://0xc0000207/', true],
    ['a+b.example.com', 'http://aab.example.com/', false],
    ['api.example.com/v1.0/*', 'https://api.example.com/v1x0/a', false],
  ])('the pattern %s matches %s: %s', (pattern, url, expected) => {
    expect(allows([pattern], url)).toBe(expected);
  });

  test('an empty list refuses everything', () => {
    for (const url of ['http://example.com', 'https://127.0.0.1/', '', 'x'])
      expect(allows([], url)).toBe(false);
  });

  test('one matching pattern is enough', () => {
    expect(allows(['a.test', 'b.test/x/*'], 'http://b.test/x/y')).toBe(true);
    expect(allows(['a.test', 'b.test/x/*'], 'http://b.test/y')).toBe(false);
  });
});

/** URLs that must not match the prefix /v1/ of api.example.com. */
const HOSTILE = [
  // Not a URL, another scheme, no host.
  '',
  'api.example.com/v1/x',
  '//api.example.com/v1/x',
  '/v1/x',
  'https:',
  'https://',
  'https:///v1/x',
  'javascript:alert(1)//api.example.com/v1/x',
  'data:text/plain,https://api.example.com/v1/x',
  'file://api.example.com/v1/x',
  'ftp://api.example.com/v1/x',
  'ws://api.example.com/v1/x',
  'blob:https://api.example.com/v1/x',
  'view-source:https://api.example.com/v1/x',
  // Userinfo.
  'https://user@api.example.com/v1/x',
  'https://user:pass@api.example.com/v1/x',
  'https://:pass@api.example.com/v1/x',
  'https://api.example.com@evil.test/v1/x',
  'https://api.example.com:443@evil.test/v1/x',
  'https://api.example.com%40evil.test/v1/x',
  'https://evil.test\\@api.example.com/v1/x',
  'https://evil.test#@api.example.com/v1/x',
  'https://evil.test?@api.example.com/v1/x',
  'https://evil.test/api.example.com/v1/x',
  // Look-alike hosts.
  'https://api.example.com./v1/x',
  'https://api.example.com../v1/x',
  'https://.api.example.com/v1/x',
  'https://api.example.com.evil.test/v1/x',
  'https://api-example.com/v1/x',
  'https://apiXexample.com/v1/x',
  'https://xapi.example.com/v1/x',
  'https://x.api.example.com/v1/x',
  'https://example.com/v1/x',
  'https://\u0430pi.example.com/v1/x',
  'https://api.examp\u217ce.com.evil.test/v1/x',
  'https://api.example.com%00.evil.test/v1/x',
  'https://api.example.com%2eevil.test/v1/x',
  'https://api%2f.example.com/v1/x',
  'https://[::ffff:1.2.3.4]/v1/x',
  'https://[api.example.com]/v1/x',
  // Ports.
  'https://api.example.com:80/v1/x',
  'http://api.example.com:443/v1/x',
  'https://api.example.com:0/v1/x',
  'https://api.example.com:8443/v1/x',
  'https://api.example.com:65536/v1/x',
  'https://api.example.com:-1/v1/x',
  'https://api.example.com:44 3/v1/x',
  // Blanks and control characters, which parsers drop silently, and two URLs in one.
  ' https://api.example.com/v1/x',
  'https://api.example.com/v1/x ',
  'https://api.example.com/v1/x\t',
  'ht\ttps://api.example.com/v1/x',
  'https://api.exam\nple.com/v1/x',
  'https://api.example.com/v1/\r\nx: y',
  'https://api.example.com/v1/x\u0000',
  'https://api.example.com/v1/x\u007f',
  'https://api.example.com/v1/x, https://evil.test/',
  'https://api.example.com/v1/a b',
  // Dot segments, plain.
  'https://api.example.com/v1/../admin',
  'https://api.example.com/v1/x/../../admin',
  'https://api.example.com/v1/./../admin',
  'https://api.example.com/v1/..',
  'https://api.example.com/v1/..\\admin',
  'https://api.example.com/v1\\..\\admin',
  'https://api.example.com/v1/..?x',
  'https://api.example.com/v1/..#x',
  // Escaped dot segments; the parser treats some as plain.
  'https://api.example.com/v1/%2e%2e/admin',
  'https://api.example.com/v1/.%2e/admin',
  'https://api.example.com/v1/%2E./admin',
  'https://api.example.com/v1/%252e%252e/admin',
  'https://api.example.com/v1/%25252e%25252e/admin',
  'https://api.example.com/v1/%2525252e%2525252e/admin',
  'https://api.example.com/v1/%252e%252e',
  'https://api.example.com/v1/%252e/%252e%252e/admin',
  'https://api.example.com/v1/%25%32%65%25%32%65/admin',
  'https://api.example.com/v1/%%32%65%%32%65/admin',
  // Escaped slashes and backslashes.
  'https://api.example.com/v1/..%2fadmin',
  'https://api.example.com/v1/..%2Fadmin',
  'https://api.example.com/v1/x%2f..%2f..%2fadmin',
  'https://api.example.com/v1%2f..%2fadmin',
  'https://api.example.com/v1/%2f',
  'https://api.example.com/v1/..%5cadmin',
  'https://api.example.com/v1/..%5Cadmin',
  'https://api.example.com/v1/x%5c..%5c..%5cadmin',
  'https://api.example.com/v1/..%252fadmin',
  'https://api.example.com/v1/..%255cadmin',
  'https://api.example.com/v1/..%25252fadmin',
  'https://api.example.com/v1/..%2525252fadmin',
  'https://api.example.com/v1/..%252525252fadmin',
  'https://api.example.com/v1/%2e%2e%2fadmin',
  'https://api.example.com/v1/%252e%252e%252fadmin',
  // Parameters of segments.
  'https://api.example.com/v1/..;/admin',
  'https://api.example.com/v1/..;x=y/admin',
  'https://api.example.com/v1/.;/..;/admin',
  'https://api.example.com/v1/..%3b/admin',
  'https://api.example.com/v1/%2e%2e;/admin',
  'https://api.example.com/v1/%252e%252e;x/admin',
  'https://api.example.com/v1/%252e%252e%253b/admin',
  // Overlong, broken and look-alike UTF-8.
  'https://api.example.com/v1/..%c0%afadmin',
  'https://api.example.com/v1/%c0%ae%c0%ae/admin',
  'https://api.example.com/v1/..%e0%80%afadmin',
  'https://api.example.com/v1/..%f0%80%80%afadmin',
  'https://api.example.com/v1/..%c1%9cadmin',
  'https://api.example.com/v1/..%25c0%25afadmin',
  'https://api.example.com/v1/%ff',
  'https://api.example.com/v1/%ed%a0%80',
  'https://api.example.com/v1/..%ef%bc%8fadmin',
  'https://api.example.com/v1/..%ef%bc%bcadmin',
  'https://api.example.com/v1/%ef%bc%8e%ef%bc%8e/admin',
  'https://api.example.com/v1/\uff0e\uff0e/admin',
  'https://api.example.com/v1/..\uff0fadmin',
  'https://api.example.com/v1/%e2%80%a5/admin',
  'https://api.example.com/v1/..%u002fadmin',
  'https://api.example.com/v1/..%u2215admin',
  'https://api.example.com/v1/%u002e%u002e/admin',
  // Malformed escapes and escaped control characters.
  'https://api.example.com/v1/%',
  'https://api.example.com/v1/%2',
  'https://api.example.com/v1/%zz',
  'https://api.example.com/v1/..%00/admin',
  'https://api.example.com/v1/x%0d%0aX: y',
  'https://api.example.com/v1/x%0a',
  'https://api.example.com/v1/%2500',
  // Other paths.
  'https://api.example.com/v1x',
  'https://api.example.com/v1;x/y',
  'https://api.example.com/v1%2e/x',
  'https://api.example.com/v1%20/x',
  'https://api.example.com/%76%31/x',
  'https://api.example.com//v1/x',
  'https://api.example.com/x/v1/x',
  'https://api.example.com/?/v1/x',
  'https://api.example.com/#/v1/x',
  'https://api.example.com/V1/x',
];

test.each(HOSTILE)('%j matches no prefix', (url) => {
  expect(allows(['https://api.example.com/v1/*'], url)).toBe(false);
});

test.each([
  'https://api.example.com/v1/a%20b',
  'https://api.example.com/v1/100%25',
  'https://api.example.com/v1/%E2%9C%93',
  'https://api.example.com/v1/caf%C3%A9',
  'https://api.example.com/v1/models/gpt-4.1:generate',
  'https://api.example.com/v1/a;b=c/d',
  'https://api.example.com/v1/...',
  'https://api.example.com/v1/.hidden',
  'https://api.example.com/v1/a..b',
  'https://api.example.com/v1/~user/@me',
  'https://api.example.com/v1/x?path=%2f..%2f&y=http://z',
  'https://api.example.com/v1//x',
  'https://api.example.com/v1/\u2026x',
])('%j matches the prefix', (url) => {
  expect(allows(['https://api.example.com/v1/*'], url)).toBe(true);
});

describe('properties', () => {
  const piece = fc.constantFrom(
    ...[
      '.',
      '..',
      '%2e',
      '%2E%2e',
      '%252e',
      '%2f',
      '%5c',
      '%252f',
      '\\',
      ';',
      ';x',
      'a',
      'v1',
      '%c0%ae',
      '%ef%bc%8e',
    ],
    ...['admin', '%00', '%', '%25', '%u002e', '\uff0e', '..;', '%3b', '@', ':', '?', '#'],
  );

  /** The ways a server could read a path: escapes decoded repeatedly, backslashes as slashes, parameters dropped. */
  function readings(path: string): string[] {
    const all: string[] = [];
    for (let text = path, round = 0; round < 6; round++) {
      const slashed = text.replace(/\\/g, '/');
      all.push(slashed, slashed.replace(/;[^/]*/g, ''), slashed.normalize('NFKC'));
      const next = slashed.replace(/%([0-9a-f]{2})/gi, (_all, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      if (next === text) break;
      text = next;
    }
    return all;
  }

  function resolved(path: string): string {
    const out: string[] = [];
    for (const segment of path.split('/').slice(1)) {
      if (segment === '..') out.pop();
      else if (segment !== '.') out.push(segment);
    }
    return `/${out.join('/')}`;
  }

  test('an allowed path stays below the prefix, however the upstream reads it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.constantFrom('/', '')), { maxLength: 8 }), (pieces) => {
        const path = pieces.map(([text, slash]) => text + slash).join('');
        const allowed = compileAllowlist(['api.example.com/v1/*']).match(
          `https://api.example.com/v1/${path}`,
        );
        if (!allowed) return;
        expect(allowed.url.host).toBe('api.example.com');
        for (const reading of readings(allowed.url.pathname)) {
          expect(resolved(reading)).toMatch(/^\/v1(?:\/|$)/);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test('any text yields a listed host or no match', () => {
    const list = compileAllowlist(['https://api.example.com', '*.example.org:8443/x/*']);
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.webUrl({ withQueryParameters: true })),
        (text) => {
          const host = list.match(text)?.url.hostname;
          return host === undefined || host === 'api.example.com' || host.endsWith('.example.org');
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('private patterns', () => {
  const list = compileAllowlist([
    'private:127.0.0.1:11434',
    'private:http://ollama.lan/api/*',
    'api.example.com',
  ]);

  test('open their own origin, only for requests that match', () => {
    expect(list.privateOrigins).toEqual([
      'http://127.0.0.1:11434',
      'https://127.0.0.1:11434',
      'http://ollama.lan',
    ]);
    expect(list.match('http://127.0.0.1:11434/api')?.lifted).toBe(true);
    expect(list.match('http://ollama.lan/api/chat')?.lifted).toBe(true);
    expect(list.match('http://ollama.lan/admin')).toBeUndefined();
    expect(list.match('http://api.example.com/')?.lifted).toBe(false);
  });

  test('open it even if a public pattern matches too', () => {
    const both = compileAllowlist(['http://ollama.lan/*', 'private:http://ollama.lan/api/*']);
    expect(both.match('http://ollama.lan/api/chat')?.lifted).toBe(true);
    expect(both.match('http://ollama.lan/other')?.lifted).toBe(false);
  });
});

describe('rejects a bad pattern and quotes it', () => {
  test.each([
    '',
    ' ',
    'https://',
    '://x',
    'ftp://example.com',
    'exa mple.com',
    'a*.example.com',
    '*.*.example.com',
    'example.*',
    '**',
    'user@example.com',
    'user:pw@example.com',
    'example.com:0',
    'example.com:65536',
    'example.com:http',
    'example.com:',
    'example.com?x=1',
    'example.com/x?y',
    'example.com/x#y',
    'example.com\\x',
    'example.com/a\\b',
    '[::1',
    '[zz::1]',
    '1.2.3.4.5',
    'private:',
    'private:*.example.com',
    'private:*',
    'private:example.com:*',
    'private:private:example.com',
    'private:http://10.0.0.1:*',
    'private:http://localhost:1/**',
    'example.com:25',
    'private:http://metadata.google.internal/x',
    'private:http://169.254.169.254/',
    'private:http://localhost:3000/a%2fb',
    'exa%20mple.com',
  ])('%j', (pattern) => {
    const compile = () => compileAllowlist(['example.com', pattern]);
    expect(compile).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_VALUE' }));
    expect(compile).toThrow(`"${pattern}"`);
  });
});

test.each(['localhost', '127.0.0.1', '[::1]'])('opens any port of %s', (host) => {
  const list = compileAllowlist([`private:http://${host}:*/**`]);
  expect(list.privateOrigins).toEqual([`http://${host}:*`]);
  expect(list.match(`http://${host}:3000/a/b`)?.lifted).toBe(true);
  expect(list.match(`http://${host}/`)?.lifted).toBe(true);
  expect(list.match(`https://${host}:3000/`)).toBeUndefined();
});
