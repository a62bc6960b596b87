/**
 * The thresholds at which the severity of a rule changes, from both directions and with each side as the weaker one.
 */
import { expect, test } from 'vitest';
import { makeEnvelope, type Sketch } from '../../../test/support/make-envelope.js';
import type { BodyFacts } from '../../probe/index.js';
import { computeDiff } from '../compute-diff.js';
import type { FindingCode } from '../finding-codes.js';

function judged(code: FindingCode, left: Sketch, right: Sketch): string {
  const { findings } = computeDiff([makeEnvelope('left', left)], [makeEnvelope('right', right)], {
    candidate: 'right',
  });
  const found = findings.find((finding) => finding.code === code);
  return found ? `${found.severity} ${found.direction}` : 'silent';
}

const cached = (cacheControl: string): Sketch => ({ headers: { 'cache-control': cacheControl } });
const sized = (bytes: number): Sketch => ({
  headers: { 'content-type': 'application/octet-stream' },
  body: { kind: 'other' as never, bytes, sha256: String(bytes), normalizedSha256: String(bytes) },
});
const hashed = (sha256: string | undefined, normalizedSha256?: string): Sketch => ({
  body: { kind: 'text', bytes: 9, sha256, normalizedSha256 } as Partial<BodyFacts>,
});
const referrer = (value: string): Sketch => header('referrer-policy', value);
const header = (name: string, value: string | undefined): Sketch => ({ headers: { [name]: value } });
const cookie = (facts: object): Sketch => ({ cookies: [{ name: 'sid', ...facts }] });
const headings = (...texts: string[]): Sketch => ({
  html: { headings: texts.map((text) => ({ level: Number(text[0]), text })) },
});
const encoded = (coding: string | undefined, bytes: number): Sketch => ({
  headers: { 'content-encoding': coding },
  body: { bytes },
});
const variant = (status: number, location?: string): Sketch => ({
  exchanges: {
    httpVariant: {
      url: 'http://a.test/',
      status,
      headers: location === undefined ? {} : { location: [location] },
    },
  },
});

test.each<[FindingCode, Sketch, Sketch, string]>([
  ['CACHE_TTL_DRIFT', cached('max-age=600'), cached('max-age=602'), 'silent'],
  ['CACHE_TTL_DRIFT', cached('max-age=600'), cached('max-age=603'), 'info left_weaker'],
  ['CACHE_TTL_DRIFT', cached('max-age=600'), cached('max-age=597'), 'info right_weaker'],
  ['CACHE_TTL_DRIFT', cached('max-age=600'), cached('max-age=61'), 'info right_weaker'],
  ['CACHE_TTL_DRIFT', cached('max-age=600'), cached('max-age=60'), 'warn right_weaker'],
  ['CACHE_TTL_DRIFT', cached('max-age=600'), cached('max-age=0'), 'warn right_weaker'],
  ['CACHE_TTL_DRIFT', cached('max-age=600'), cached('private, max-age=60'), 'silent'],
  ['CONTENT_LENGTH_DRIFT', sized(4000), sized(3000), 'info right_weaker'],
  ['CONTENT_LENGTH_DRIFT', sized(4000), sized(2999), 'warn right_weaker'],
  ['CONTENT_LENGTH_DRIFT', sized(4000), sized(1600), 'warn right_weaker'],
  ['CONTENT_LENGTH_DRIFT', sized(4000), sized(1599), 'critical right_weaker'],
  ['CONTENT_LENGTH_DRIFT', sized(4000), sized(0), 'critical right_weaker'],
  ['CONTENT_LENGTH_DRIFT', sized(300), sized(45), 'info right_weaker'],
  ['CONTENT_LENGTH_DRIFT', sized(300), sized(44), 'critical right_weaker'],
  ['CONTENT_LENGTH_DRIFT', sized(10), sized(0), 'critical right_weaker'],
  ['BODY_HASH_DRIFT', hashed('a', 'n'), hashed('a'), 'silent'],
  ['BODY_HASH_DRIFT', hashed('a'), hashed('a', 'n'), 'silent'],
  ['BODY_HASH_DRIFT', hashed('a', 'n'), hashed('b'), 'info changed'],
  ['BODY_HASH_DRIFT', hashed('a', 'n'), hashed('b', 'n'), 'silent'],
  ['BODY_HASH_DRIFT', hashed('a', 'n'), hashed('a', 'm'), 'info changed'],
  ['BODY_HASH_DRIFT', hashed('a', 'n'), hashed(undefined), 'silent'],
  ['SECURITY_HEADER_DRIFT', referrer('no-referrer'), referrer('no-referrer, later'), 'info changed'],
  ['SECURITY_HEADER_DRIFT', referrer('origin'), referrer('no-referrer, later'), 'info left_weaker'],
  [
    'SECURITY_HEADER_DRIFT',
    referrer('no-referrer'),
    referrer('no-referrer, unsafe-url, later'),
    'warn right_weaker',
  ],
  ['SECURITY_HEADER_DRIFT', referrer('unsafe-url'), referrer('later'), 'warn right_weaker'],
  ['CONTENT_ENCODING_DRIFT', encoded('gzip', 1400), encoded(undefined, 1400), 'warn right_weaker'],
  ['CONTENT_ENCODING_DRIFT', encoded('gzip', 1399), encoded(undefined, 1399), 'info right_weaker'],
  ['CONTENT_ENCODING_DRIFT', encoded('gzip', 1400), encoded('br', 1400), 'info changed'],
  ['STATUS_MISMATCH', { status: 200 }, { status: 204 }, 'warn changed'],
  ['STATUS_MISMATCH', { status: 200 }, { status: 404 }, 'critical right_weaker'],
  ['STATUS_MISMATCH', { status: 404 }, { status: 200 }, 'info left_weaker'],
  ['STATUS_MISMATCH', { status: 404 }, { status: 410 }, 'warn changed'],
  ['VALIDATOR_DRIFT', header('etag', '"a"'), {}, 'warn right_weaker'],
  ['VALIDATOR_DRIFT', header('etag', '"a"'), header('etag', 'W/"a"'), 'info changed'],
  [
    'VALIDATOR_DRIFT',
    header('etag', '"a"'),
    header('last-modified', 'Tue, 03 Mar 2026 10:00:00 GMT'),
    'info changed',
  ],
  ['VALIDATOR_DRIFT', header('last-modified', 'Tue, 03 Mar 2026 10:00:00 GMT'), {}, 'warn right_weaker'],
  [
    'VALIDATOR_DRIFT',
    { exchanges: { conditional: { validator: 'etag', status: 304 } } },
    { exchanges: { conditional: { validator: 'etag', status: 200 } } },
    'warn right_weaker',
  ],
  [
    'VALIDATOR_DRIFT',
    { exchanges: { conditional: { validator: 'etag', status: 200 } } },
    { exchanges: { conditional: { validator: 'etag', status: 304 } } },
    'info left_weaker',
  ],
  [
    'RATE_LIMIT_DRIFT',
    header('ratelimit-limit', '100'),
    header('ratelimit-limit', '50'),
    'warn right_weaker',
  ],
  [
    'RATE_LIMIT_DRIFT',
    header('x-ratelimit-limit', '50'),
    header('x-ratelimit-limit', '100'),
    'info left_weaker',
  ],
  [
    'RATE_LIMIT_DRIFT',
    header('ratelimit-policy', '100;w=60'),
    header('ratelimit-policy', '50;w=60'),
    'warn changed',
  ],
  ['RATE_LIMIT_DRIFT', {}, header('ratelimit-limit', '50'), 'warn right_weaker'],
  ['RATE_LIMIT_DRIFT', header('ratelimit', '"a";r=5;t=3'), header('ratelimit', '"a";r=9;t=1'), 'silent'],
  [
    'RATE_LIMIT_DRIFT',
    header('ratelimit', 'limit=10, remaining=3'),
    header('ratelimit', 'limit=20, remaining=3'),
    'warn changed',
  ],
  ['HTTPS_ENFORCEMENT_DRIFT', variant(301, 'https://a.test/'), variant(200), 'critical right_weaker'],
  ['HTTPS_ENFORCEMENT_DRIFT', variant(200), variant(308, 'HTTPS://a.test/'), 'info left_weaker'],
  [
    'HTTPS_ENFORCEMENT_DRIFT',
    variant(299, 'https://a.test/'),
    variant(300, 'https://a.test/'),
    'info left_weaker',
  ],
  [
    'HTTPS_ENFORCEMENT_DRIFT',
    variant(399, 'https://a.test/'),
    variant(400, 'https://a.test/'),
    'critical right_weaker',
  ],
  [
    'HTTPS_ENFORCEMENT_DRIFT',
    variant(301, 'https://a.test/'),
    variant(301, 'http://a.test/'),
    'critical right_weaker',
  ],
  ['HTTPS_ENFORCEMENT_DRIFT', variant(200), variant(404), 'silent'],
  ['COOKIE_FLAGS_DRIFT', cookie({ sameSite: 'lax' }), cookie({ sameSite: 'none' }), 'critical right_weaker'],
  ['COOKIE_FLAGS_DRIFT', cookie({ sameSite: 'lax' }), cookie({ sameSite: 'strict' }), 'info left_weaker'],
  ['COOKIE_FLAGS_DRIFT', cookie({ sameSite: 'lax' }), cookie({}), 'silent'],
  ['COOKIE_FLAGS_DRIFT', cookie({ partitioned: true }), cookie({}), 'warn right_weaker'],
  ['COOKIE_FLAGS_DRIFT', cookie({}), cookie({ httpOnly: false }), 'critical right_weaker'],
  ['COOKIE_FLAGS_DRIFT', cookie({ secure: false }), cookie({}), 'info left_weaker'],
  [
    'COOKIE_FLAGS_DRIFT',
    { ...cookie({}), url: 'http://staging.example.com/' },
    cookie({ secure: false }),
    'silent',
  ],
  ['COOKIE_FLAGS_DRIFT', cookie({ path: '/a' }), cookie({ path: '/' }), 'warn right_weaker'],
  ['COOKIE_FLAGS_DRIFT', cookie({ path: '/a' }), cookie({ path: '/a/b' }), 'info left_weaker'],
  ['COOKIE_FLAGS_DRIFT', cookie({ path: '/a' }), cookie({ path: '/ab' }), 'warn changed'],
  ['COOKIE_FLAGS_DRIFT', cookie({ path: '/' }), cookie({}), 'silent'],
  [
    'COOKIE_FLAGS_DRIFT',
    cookie({ domain: 'staging.example.com' }),
    cookie({ domain: 'www.example.com' }),
    'silent',
  ],
  [
    'COOKIE_FLAGS_DRIFT',
    cookie({ domain: 'staging.example.com' }),
    cookie({ domain: 'example.com' }),
    'warn right_weaker',
  ],
  ['COOKIE_FLAGS_DRIFT', cookie({ domain: 'staging.example.com' }), cookie({}), 'info left_weaker'],
  [
    'HEADINGS_LOST',
    headings('1a', '2b', '2c', '2d', '2e', '2f', '2g', '2h', '2i', '2j'),
    headings('1a', '2b', '2c', '2d', '2e', '2f', '2g', '2h'),
    'warn right_weaker',
  ],
  [
    'HEADINGS_LOST',
    headings('1a', '2b', '2c', '2d', '2e', '2f', '2g', '2h', '2i', '2j', '2k'),
    headings('1a', '2b', '2c', '2d', '2e', '2f', '2g', '2h', '2i'),
    'warn right_weaker',
  ],
  ['HEADINGS_LOST', headings('1a', '2b'), headings('2b'), 'warn right_weaker'],
  ['HEADINGS_LOST', headings('1a', '2b', '2c'), headings('1a', '2b'), 'warn right_weaker'],
  [
    'CORS_HEADER_DRIFT',
    header('access-control-allow-origin', 'https://x.test'),
    header('access-control-allow-origin', '*'),
    'critical right_weaker',
  ],
  [
    'CORS_HEADER_DRIFT',
    header('access-control-allow-origin', ' * '),
    header('access-control-allow-origin', 'NULL'),
    'critical changed',
  ],
  ['CORS_HEADER_DRIFT', header('access-control-allow-origin', 'https://x.test'), {}, 'critical right_weaker'],
  ['CORS_HEADER_DRIFT', header('access-control-allow-credentials', 'true'), {}, 'critical changed'],
  [
    'CORS_HEADER_DRIFT',
    header('access-control-allow-methods', 'GET, PUT'),
    header('access-control-allow-methods', 'GET'),
    'warn right_weaker',
  ],
  [
    'CORS_HEADER_DRIFT',
    header('access-control-allow-methods', 'GET'),
    header('access-control-allow-methods', 'GET, PUT'),
    'info left_weaker',
  ],
  [
    'CORS_HEADER_DRIFT',
    header('access-control-max-age', '60'),
    header('access-control-max-age', '600'),
    'warn changed',
  ],
  ['VARY_DRIFT', header('vary', 'Accept'), header('vary', '*'), 'critical right_weaker'],
  ['VARY_DRIFT', header('vary', 'Accept, Cookie'), header('vary', 'Cookie'), 'warn right_weaker'],
  ['VARY_DRIFT', header('vary', 'Cookie, accept'), header('vary', 'Accept,Cookie'), 'silent'],
  ['UNKNOWN_DRIFT', { otherNames: ['x-a', 'x-b'] }, {}, 'info left_only'],
  ['UNKNOWN_DRIFT', { otherNames: ['x-a', 'x-b', 'x-c'] }, {}, 'warn left_only'],
  [
    'HSTS_DRIFT',
    header('strict-transport-security', 'max-age=600'),
    header('strict-transport-security', 'max-age=500'),
    'warn right_weaker',
  ],
  [
    'HSTS_DRIFT',
    header('strict-transport-security', 'max-age=600; includeSubDomains'),
    header('strict-transport-security', 'max-age=600'),
    'warn right_weaker',
  ],
  [
    'HSTS_DRIFT',
    header('strict-transport-security', 'max-age=600'),
    header('strict-transport-security', 'max-age=600; preload'),
    'info left_weaker',
  ],
  ['JSON_LIST_SHRUNK', { json: [1, 2, 3, 4] }, { json: [1, 2] }, 'info right_weaker'],
  ['JSON_LIST_SHRUNK', { json: [1, 2, 3, 4] }, { json: [1] }, 'warn right_weaker'],
  ['JSON_LIST_SHRUNK', { json: [1, 2] }, { json: [1] }, 'info right_weaker'],
  ['JSON_LIST_SHRUNK', { json: [1, 2, 3] }, { json: [1] }, 'warn right_weaker'],
  ['JSON_ARRAY_EMPTIED', { json: { a: [1], b: 'x' } }, { json: { a: [], b: 'x' } }, 'warn right_weaker'],
  ['JSON_SHAPE_DRIFT', { json: { a: 1, b: 2 } }, { json: { a: 1 } }, 'critical right_weaker'],
  ['JSON_SHAPE_DRIFT', { json: { a: 1 } }, { json: { a: 1, b: 2 } }, 'info left_weaker'],
  ['JSON_SHAPE_DRIFT', { json: { a: 1 } }, { json: { a: null } }, 'warn right_weaker'],
  ['JSON_SHAPE_DRIFT', { json: { a: 1 } }, { json: { a: '1' } }, 'critical changed'],
  [
    'CHARSET_DRIFT',
    header('content-type', 'text/html; charset=utf-8'),
    header('content-type', 'text/html; charset=latin1'),
    'warn right_weaker',
  ],
  [
    'CHARSET_DRIFT',
    header('content-type', 'text/html; charset=UTF-8'),
    header('content-type', 'text/html; charset="utf-8"'),
    'silent',
  ],
  [
    'CONTENT_TYPE_DRIFT',
    header('content-type', 'text/html'),
    header('content-type', 'text/plain'),
    'warn changed',
  ],
  [
    'CONTENT_TYPE_DRIFT',
    header('content-type', 'application/json'),
    header('content-type', 'text/html'),
    'critical changed',
  ],
])('%s for %j and %j: %s', (code, left, right, expected) => {
  expect(judged(code, left, right)).toBe(expected);
});
