import { describe, expect, test } from 'vitest';
import { classifyFetchError, filterHeaders, resolveUrl, validateUrlSafety } from './single-steps.js';

describe('validateUrlSafety', () => {
  test.each(['https://example.com', 'https://api.github.com'])('accepts %s', (url) => {
    expect(validateUrlSafety(url)).toEqual({ safe: true });
  });
  test.each([
    ['http://localhost:8000', 'private_name'],
    ['http://127.0.0.1', 'loopback'],
    ['http://10.0.0.1', 'private'],
    ['http://192.168.1.1', 'private'],
    ['file:///etc/passwd', 'invalid_scheme'],
    ['nothing', 'unparsable'],
  ])('refuses %s and names the rule', (url, reason) => {
    expect(validateUrlSafety(url)).toEqual({ safe: false, reason });
  });
});

test.each([
  ['https://example.com/api/foo', '/bar', 'https://example.com/bar'],
  ['https://example.com/api/foo', 'baz', 'https://example.com/api/baz'],
  ['https://example.com/api', '//cdn.example.com', 'https://cdn.example.com/'],
  ['https://example.com/api', 'https://other.com', 'https://other.com/'],
  ['https://example.com/api', 'http://[', undefined],
])('resolveUrl: from %s to %s', (base, location, expected) => {
  expect(resolveUrl(base, location)).toBe(expected);
});

test('filterHeaders keeps the six families, redacted, and drops the rest', () => {
  const { core, accessControl } = filterHeaders({
    'Cache-Control': 'public, max-age=3600',
    'content-type': 'application/json',
    location: 'https://example.com/?token=a-secret-of-many-letters',
    'access-control-allow-origin': '*',
    'x-custom': 'ignored',
  });
  expect(core).toEqual({
    'cache-control': 'public, max-age=3600',
    'content-type': 'application/json',
    location: expect.not.stringContaining('a-secret-of-many-letters'),
  });
  expect(accessControl).toEqual({ 'access-control-allow-origin': '*' });
});

/** As Node's `fetch` fails. */
const failed = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

test.each([
  [new Error('DNS lookup failed'), 'dns_error'],
  [failed('ENOTFOUND'), 'dns_error'],
  [failed('ECONNREFUSED'), 'connect_error'],
  [new Error('Timeout'), 'timeout'],
  [new DOMException('The operation was aborted due to timeout', 'TimeoutError'), 'timeout'],
  [new Error("TLS peer's certificate is not trusted"), 'tls_error'],
  [new Error('Network connection lost.'), 'fetch_error'],
  [new Error('anything else'), 'fetch_error'],
])('classifyFetchError: %s', (error, code) => {
  expect(classifyFetchError(error)).toBe(code);
});
