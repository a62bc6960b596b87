import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../test/support/cpu-time.js';
import { cleanRequestHeaders, type HeaderPair } from '../net/index.js';
import { contentTypeOf, decodeHeaders, encodeHeaders, requestHeaders, safeHeaders } from './header-rules.js';

/** The headers that the upstream gets: filtered by these rules, then by the egress layer. */
function sent(given: readonly HeaderPair[], credentials: readonly HeaderPair[] = []): readonly HeaderPair[] {
  return cleanRequestHeaders(requestHeaders(given, credentials));
}

const names = (pairs: readonly HeaderPair[]) => pairs.map(([name]) => name);

describe('request headers', () => {
  test.each([
    'Connection',
    'Keep-Alive',
    'Proxy-Authenticate',
    'Proxy-Authorization',
    'Proxy-Connection',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Host',
    'Authorization',
    'Upstream-URL',
    'Upstream-Authorization',
    'Upstream-Method',
    'Content-Length',
    'Expect',
    'Cookie',
    'Cookie2',
    'Forwarded',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Port',
    'X-Forwarded-Client-Cert',
    'X-Real-IP',
    'Sonde-Authorization',
    'Orphan-Policy',
    'Metadata-Flavor',
    'Sec-Fetch-Site',
  ])('drops %s in upper and lower case', (name) => {
    for (const spelled of [name, name.toLowerCase(), name.toUpperCase()]) {
      expect(
        names(
          sent([
            [spelled, 'x'],
            ['x-kept', '1'],
          ]),
        ),
      ).toEqual(['x-kept', 'accept-encoding']);
    }
  });

  test.each(['Connection', 'Proxy-Connection'])('drops the headers that %s names', (header) => {
    const given: HeaderPair[] = [
      [header, 'close, X-One ,x-two'],
      [header.toUpperCase(), 'x-three,,'],
      ['X-One', '1'],
      ['x-TWO', '2'],
      ['x-three', '3'],
      ['x-four', '4'],
    ];
    expect(sent(given)).toEqual([
      ['x-four', '4'],
      ['accept-encoding', 'identity'],
    ]);
  });

  test("Connection cannot remove the proxy's own headers", () => {
    const given: HeaderPair[] = [['connection', 'authorization, accept-encoding, content-type']];
    expect(sent(given, [['authorization', 'Bearer up']])).toEqual([
      ['authorization', 'Bearer up'],
      ['accept-encoding', 'identity'],
    ]);
  });

  test("replaces the caller's credential with the upstream's", () => {
    const given: HeaderPair[] = [
      ['Authorization', 'Bearer sonde'],
      ['authorization', 'Bearer again'],
      ['Upstream-Authorization', 'Bearer up'],
      ['X-Api-Key', 'theirs'],
    ];
    expect(sent(given, [['authorization', 'Bearer up']])).toEqual([
      ['x-api-key', 'theirs'],
      ['authorization', 'Bearer up'],
      ['accept-encoding', 'identity'],
    ]);
    expect(sent(given, [['x-api-key', 'key']])).toEqual([
      ['x-api-key', 'key'],
      ['accept-encoding', 'identity'],
    ]);
  });

  test('always requests identity encoding', () => {
    expect(sent([['Accept-Encoding', 'gzip, br']])).toEqual([['accept-encoding', 'identity']]);
  });

  test('forwards everything else in order, with repeats', () => {
    const given: HeaderPair[] = [
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', 'k'],
      ['X-A', '1'],
      ['X-A', '2'],
      ['Accept', 'text/event-stream'],
      ['User-Agent', 'sdk/1'],
      ['OpenAI-Organization', 'o'],
      ['anthropic-version', '2023-06-01'],
      ['traceparent', '00-x'],
    ];
    expect(sent(given)).toEqual([
      ...given.map(([name, value]) => [name.toLowerCase(), value]),
      ['accept-encoding', 'identity'],
    ]);
  });
});

describe('response headers', () => {
  test('keeps only listed headers, and none that Connection names', () => {
    const given: HeaderPair[] = [
      ['content-type', 'text/plain'],
      ['set-cookie', 'a=b'],
      ['content-length', '3'],
      ['transfer-encoding', 'chunked'],
      ['content-encoding', 'gzip'],
      ['connection', 'x-request-id, close'],
      ['x-request-id', 'nominated'],
      ['request-id', 'r1'],
      ['openai-processing-ms', '12'],
      ['anthropic-ratelimit-tokens-remaining', '5'],
      ['x-ratelimit-limit-requests', '60'],
      ['ratelimit', 'limit=10'],
      ['retry-after', '7'],
      ['retry-after-ms', '70'],
      ['server', 'nginx'],
      ['www-authenticate', 'Bearer'],
      ['location', 'http://elsewhere'],
      ['access-control-allow-origin', '*'],
      ['strict-transport-security', 'max-age=1'],
      ['content-security-policy', "default-src 'none'"],
      ['x-internal-token', 'secret'],
    ];
    expect(names(safeHeaders(given))).toEqual([
      'content-type',
      'request-id',
      'openai-processing-ms',
      'anthropic-ratelimit-tokens-remaining',
      'x-ratelimit-limit-requests',
      'ratelimit',
      'retry-after',
      'retry-after-ms',
    ]);
  });

  test('drops values that are invalid in a header', () => {
    const given: HeaderPair[] = [
      ['etag', '"\u{1f600}"'],
      ['link', 'a\u0000b'],
      ['age', '1\r\nx: y'],
      ['expires', 'na\u00efve'],
    ];
    expect(safeHeaders(given)).toEqual([['expires', 'na\u00efve']]);
  });

  test.each([
    [[['content-type', 'text/plain; charset=utf-8']], 'text/plain; charset=utf-8'],
    [[], null],
    [[['content-type', '']], null],
    [[['content-type', 'a/b\u2028']], null],
    [[['content-type', `a/${'b'.repeat(2000)}`]], null],
    [
      [
        ['content-type', 'a/b'],
        ['content-type', 'c/d'],
      ],
      'a/b',
    ],
  ] as const)('reads the content type of %j', (headers, expected) => {
    expect(contentTypeOf(headers as readonly HeaderPair[])).toBe(expected);
  });
});

describe('Upstream-Headers', () => {
  const anyPair = fc.tuple(fc.string(), fc.string({ unit: 'grapheme' }));

  test('round-trips and is a valid header value', () => {
    fc.assert(
      fc.property(fc.array(anyPair, { maxLength: 20 }), (pairs) => {
        const text = encodeHeaders(pairs);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeHeaders(text)).toEqual(pairs);
      }),
    );
  });

  test('skips headers that exceed 8 KB in total and keeps later ones that fit', () => {
    const long: HeaderPair = ['x-ratelimit-long', 'l'.repeat(7_000)];
    const pairs: HeaderPair[] = [['age', '1'], long, ['etag', '"1"'], long, ['date', 'now']];
    expect(decodeHeaders(encodeHeaders(pairs))).toEqual([
      ['age', '1'],
      ['etag', '"1"'],
      ['date', 'now'],
    ]);
    for (let chars = 6_050; chars < 6_160; chars++) {
      const text = encodeHeaders([['age', 'a'.repeat(chars)]]);
      expect(text.length).toBeLessThanOrEqual(8 * 1024);
    }
    expect(encodeHeaders([['age', 'a'.repeat(6_130)]]).length).toBeGreaterThan(8_000);
  });

  test('encodes many small headers fast', () => {
    const pairs = Array.from({ length: 20_000 }, (_, i): HeaderPair => [`x-ratelimit-${i}`, 'v']);
    const encode = () => expect(encodeHeaders(pairs).length).toBeLessThanOrEqual(8 * 1024);
    expect(cpuMs(encode)).toBeLessThan(1_000);
  });
});

test.each([
  'Accept-Encoding',
  'Authorization',
  'Connection',
  'Cookie',
  'Cookie2',
  'Orphan-Policy',
  'Proxy-Connection',
  'Sonde-Authorization',
  'Upstream-Authorization',
  'Upstream-Method',
  'Upstream-URL',
])('%s is dropped before the egress layer', (name) => {
  for (const spelled of [name, name.toLowerCase()])
    expect(requestHeaders([[spelled, 'x']], [])).toEqual([['accept-encoding', 'identity']]);
});

test.each([
  ['age', true],
  ['cache-control', true],
  ['cf-ray', true],
  ['content-disposition', true],
  ['content-language', true],
  ['content-type', true],
  ['date', true],
  ['etag', true],
  ['expires', true],
  ['last-modified', true],
  ['link', true],
  ['retry-after', true],
  ['retry-after-ms', true],
  ['server-timing', true],
  ['x-should-retry', true],
  ['x-requestid', true],
  ['x-request-id', true],
  ['x-request-id-token', false],
  ['xrequest-id', false],
  ['x-rate-limit', true],
  ['openai-version', true],
  ['x-openai-version', false],
  ['anthropic-version', true],
  ['x-processing-ms', true],
  ['x-processing-ms-token', false],
  ['constructor', false],
])('%s of a response is kept: %s', (name, kept) => {
  expect(safeHeaders([[name, 'x']])).toEqual(kept ? [[name, 'x']] : []);
});
