/** Planted differences in protection, caching and content. */
import { gzipSync } from 'node:zlib';
import { type CannedResponse, type DriftCases, json, page, withHeaders } from './drift-case.js';

const CSP = "default-src 'self'; object-src 'none'";
const HSTS = 'max-age=31536000; includeSubDomains';
const csp = (value: string) => withHeaders({ 'content-security-policy': value });
const cache = (value: string) => withHeaders({ 'cache-control': value });
const script = (attributes: string) => page(`<script ${attributes}></script>`);
const binary = (body: string): CannedResponse => ({
  body,
  headers: { 'content-type': 'application/octet-stream' },
});
const LONG = `<p>${'word '.repeat(1000)}</p>`;

export const PAGE_CASES: DriftCases = {
  SECURITY_HEADER_MISSING: { severity: 'critical', left: csp(CSP), right: page() },
  SECURITY_HEADER_DRIFT: {
    severity: 'warn',
    left: withHeaders({ 'referrer-policy': 'strict-origin' }),
    right: withHeaders({ 'referrer-policy': 'unsafe-url' }),
  },
  CSP_DRIFT: {
    severity: 'warn',
    left: csp(`${CSP}; img-src 'self'`),
    right: csp(`${CSP}; img-src 'self' https://img.example.net`),
  },
  CSP_WEAKENED: {
    severity: 'critical',
    left: csp(CSP),
    right: csp("default-src 'self'; script-src 'unsafe-inline'; object-src 'none'"),
  },
  HSTS_DRIFT: {
    severity: 'critical',
    left: withHeaders({ 'strict-transport-security': HSTS }),
    right: withHeaders({ 'strict-transport-security': 'max-age=0' }),
  },
  FRAME_POLICY_DRIFT: {
    severity: 'warn',
    left: withHeaders({ 'x-frame-options': 'DENY' }),
    right: withHeaders({ 'x-frame-options': 'SAMEORIGIN' }),
  },
  CROSS_ORIGIN_POLICY_DRIFT: {
    severity: 'warn',
    left: withHeaders({ 'cross-origin-opener-policy': 'same-origin' }),
    right: page(),
  },
  PERMISSIONS_POLICY_DRIFT: {
    severity: 'warn',
    left: withHeaders({ 'permissions-policy': 'camera=()' }),
    right: withHeaders({ 'permissions-policy': 'camera=*' }),
  },
  COOKIE_SET_DRIFT: {
    severity: 'warn',
    left: withHeaders({ 'set-cookie': 'beta=1; Secure; HttpOnly' }),
    right: page(),
  },
  COOKIE_FLAGS_DRIFT: {
    severity: 'critical',
    left: withHeaders({ 'set-cookie': 'sessionid=a; Secure; HttpOnly' }),
    right: withHeaders({ 'set-cookie': 'sessionid=b; Secure' }),
  },
  SRI_DRIFT: {
    severity: 'warn',
    left: script('src="https://cdn.example.net/app.js" integrity="sha384-abc" crossorigin'),
    right: script('src="https://cdn.example.net/app.js"'),
  },
  MIXED_CONTENT_DRIFT: {
    severity: 'critical',
    left: script('src="https://cdn.example.net/app.js"'),
    right: script('src="http://cdn.example.net/app.js"'),
  },
  INFO_EXPOSURE_DRIFT: {
    severity: 'critical',
    left: page(),
    right: page('<pre>Traceback (most recent call last):</pre>'),
  },
  SECURITY_GRADE_DRIFT: {
    severity: 'critical',
    left: withHeaders({
      'content-security-policy': `${CSP}; frame-ancestors 'none'`,
      'strict-transport-security': HSTS,
    }),
    right: page(),
  },
  THIRD_PARTY_DRIFT: {
    severity: 'warn',
    left: page(),
    right: script('src="https://tracker.example.net/t.js"'),
  },
  CACHE_HEADER_DRIFT: {
    severity: 'warn',
    left: cache('public, max-age=3600'),
    right: cache('public, max-age=0'),
  },
  CACHE_SCOPE_DRIFT: {
    severity: 'critical',
    left: cache('private, no-store'),
    right: cache('public, max-age=600'),
  },
  CACHE_TTL_DRIFT: {
    severity: 'warn',
    candidate: 'left',
    left: cache('max-age=60'),
    right: cache('max-age=86400'),
  },
  CACHE_STATUS_DRIFT: {
    severity: 'warn',
    candidate: 'left',
    left: withHeaders({ 'cf-cache-status': 'MISS' }),
    right: withHeaders({ 'cf-cache-status': 'HIT' }),
  },
  VALIDATOR_DRIFT: { severity: 'warn', left: withHeaders({ etag: '"abc"' }), right: page() },
  VARY_DRIFT: {
    severity: 'critical',
    left: withHeaders({ vary: 'Accept-Encoding' }),
    right: withHeaders({ vary: '*' }),
  },
  CACHEABLE_COOKIE: {
    severity: 'critical',
    left: withHeaders({ 'cache-control': 'private', 'set-cookie': 'sid=1; Secure; HttpOnly' }),
    right: withHeaders({ 'cache-control': 'public, max-age=600', 'set-cookie': 'sid=1; Secure; HttpOnly' }),
  },
  CONTENT_TYPE_DRIFT: { severity: 'critical', left: json({ a: 1 }), right: page() },
  CHARSET_DRIFT: {
    severity: 'warn',
    candidate: 'left',
    left: withHeaders({ 'content-type': 'text/html; charset=iso-8859-1' }),
    right: page(),
  },
  CONTENT_ENCODING_DRIFT: {
    severity: 'warn',
    left: withHeaders(
      { 'content-encoding': 'gzip' },
      { ...page(LONG), body: gzipSync(String(page(LONG).body)) },
    ),
    right: page(LONG),
  },
  CONTENT_LANGUAGE_DRIFT: {
    severity: 'warn',
    left: withHeaders({ 'content-language': 'en' }),
    right: withHeaders({ 'content-language': 'de' }),
  },
  CONTENT_LENGTH_DRIFT: { severity: 'critical', left: binary('x'.repeat(5000)), right: binary('x') },
  TEXT_LOST: { severity: 'critical', left: page(LONG), right: page() },
  TEXT_DRIFT: { severity: 'info', left: page('<p>three projects</p>'), right: page('<p>two projects</p>') },
  HEADINGS_LOST: { severity: 'warn', left: page('<h2>a</h2><h2>b</h2>'), right: page() },
  JSON_ARRAY_EMPTIED: { severity: 'warn', left: json({ items: [1, 2] }), right: json({ items: [] }) },
  JSON_LIST_SHRUNK: { severity: 'warn', left: json([1, 2, 3, 4, 5]), right: json([1, 2]) },
  BODY_HASH_DRIFT: {
    severity: 'warn',
    left: binary('one'),
    right: binary('two'),
  },
  JSON_SHAPE_DRIFT: {
    severity: 'critical',
    left: json({ user: { name: 'a', email: 'b' } }),
    right: json({ user: { name: 'a' } }),
  },
  JSON_VALUE_DRIFT: {
    severity: 'info',
    left: json({ flags: { checkout: true } }),
    right: json({ flags: { checkout: false } }),
  },
  JSON_ORDER_DRIFT: { severity: 'info', left: json({ a: 1, b: 2 }), right: json({ b: 2, a: 1 }) },
  HTML_STRUCTURE_DRIFT: { severity: 'warn', left: page('<nav>n</nav>'), right: page() },
  HTML_META_DRIFT: {
    severity: 'warn',
    left: page('', '<meta name="description" content="a">'),
    right: page('', '<meta name="description" content="b">'),
  },
  ASSET_SET_DRIFT: { severity: 'info', left: script('src="/app.js"'), right: script('src="/main.js"') },
  BUILD_VERSION_DRIFT: {
    severity: 'info',
    left: withHeaders({ 'x-version': '1.5.0' }),
    right: withHeaders({ 'x-version': '1.4.2' }),
  },
  ERROR_PAGE_DRIFT: {
    severity: 'warn',
    left: page(),
    right: { ...page(), body: '<!doctype html><title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>' },
  },
  UNKNOWN_DRIFT: { severity: 'info', left: withHeaders({ 'x-feature-set': 'a' }), right: page() },
};
