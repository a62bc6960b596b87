/** Examples for the rules about protection, caching and content. */
import type { HtmlAsset } from '../../../src/probe/index.js';
import type { RuleExamples } from './rule-example.js';

const L = 'https://staging.example.com';
const R = 'https://www.example.com';
const CSP = "default-src 'self'; object-src 'none'";
const HSTS = 'max-age=31536000; includeSubDomains';
const csp = (value: string) => ({ headers: { 'content-security-policy': value } });
const cache = (value: string) => ({ headers: { 'cache-control': value } });
const script = (url: string, more: Partial<HtmlAsset> = {}) => ({
  html: { assets: [{ kind: 'script' as const, url, ...more }] },
});
const SENTENCES = 'Everything that a plumb line needs, and what goes with it. '.repeat(5);
const text = (...blocks: string[]) => ({ body: { text: { blocks, cut: false } } });
const headings = (...texts: string[]) => ({
  html: { headings: texts.map((each, at) => ({ level: at === 0 ? 1 : 2, text: each })) },
});
const resource = (url: string, status: number) => ({ url, method: 'GET', status, kind: 'script' as const });

export const PAGE_EXAMPLES: RuleExamples = {
  SECURITY_HEADER_MISSING: {
    severity: 'critical',
    left: csp(CSP),
    right: {},
    silent: [csp(CSP), csp("default-src 'none'")],
  },
  SECURITY_HEADER_DRIFT: {
    severity: 'warn',
    left: { headers: { 'referrer-policy': 'strict-origin' } },
    right: { headers: { 'referrer-policy': 'unsafe-url' } },
    silent: [{ headers: { 'x-content-type-options': 'NoSniff' } }, {}],
  },
  CSP_DRIFT: {
    severity: 'warn',
    left: csp(`${CSP}; img-src 'self'`),
    right: csp(`${CSP}; img-src 'self' https://img.example.net`),
    silent: [
      csp(`${CSP}; script-src 'nonce-aaa' ${L}`),
      csp(`script-src ${R} 'nonce-bbb'; object-src 'none'; DEFAULT-SRC 'self'`),
    ],
  },
  CSP_WEAKENED: {
    severity: 'critical',
    left: csp(CSP),
    right: csp("default-src 'self'; script-src 'self' 'unsafe-inline'; object-src 'none'"),
    silent: [
      csp("script-src 'nonce-a' 'unsafe-inline'; object-src 'none'; base-uri 'none'"),
      csp("script-src 'nonce-b'; object-src 'none'; base-uri 'none'"),
    ],
  },
  HSTS_DRIFT: {
    severity: 'critical',
    left: { headers: { 'strict-transport-security': HSTS } },
    right: { headers: { 'strict-transport-security': 'max-age=0' } },
    silent: [
      { headers: { 'strict-transport-security': HSTS } },
      { headers: { 'strict-transport-security': 'includesubdomains; MAX-AGE="31536000"' } },
    ],
  },
  FRAME_POLICY_DRIFT: {
    severity: 'warn',
    left: { headers: { 'x-frame-options': 'DENY' } },
    right: { headers: { 'x-frame-options': 'SAMEORIGIN' } },
    silent: [{ headers: { 'x-frame-options': 'deny' } }, csp("frame-ancestors 'none'")],
  },
  CROSS_ORIGIN_POLICY_DRIFT: {
    severity: 'warn',
    left: { headers: { 'cross-origin-opener-policy': 'same-origin' } },
    right: {},
    silent: [
      { headers: { 'cross-origin-resource-policy': 'same-site' } },
      { headers: { 'cross-origin-resource-policy': 'Same-Site' } },
    ],
  },
  PERMISSIONS_POLICY_DRIFT: {
    severity: 'warn',
    left: { headers: { 'permissions-policy': 'camera=(), geolocation=(self)' } },
    right: { headers: { 'permissions-policy': 'camera=*, geolocation=(self)' } },
    silent: [
      { headers: { 'permissions-policy': 'camera=(), geolocation=(self)' } },
      { headers: { 'permissions-policy': ['geolocation=(self)', 'camera=()'] } },
    ],
  },
  COOKIE_SET_DRIFT: {
    severity: 'warn',
    undirected: true,
    left: { cookies: [{ name: 'beta' }] },
    right: {},
    silent: [{ cookies: [{ name: 'cart-1f3a9c77e2' }] }, { cookies: [{ name: 'cart-99a0b1c2d3' }] }],
  },
  COOKIE_FLAGS_DRIFT: {
    severity: 'critical',
    left: { cookies: [{ name: 'sessionid' }] },
    right: { cookies: [{ name: 'sessionid', httpOnly: false }] },
    silent: [
      { cookies: [{ name: 'sessionid', domain: '.staging.example.com', sameSite: 'lax' }] },
      { cookies: [{ name: 'sessionid', domain: 'www.example.com' }] },
    ],
  },
  SRI_DRIFT: {
    severity: 'warn',
    left: script('https://cdn.example.net/app.js', { integrity: 'sha384-abc' }),
    right: script('https://cdn.example.net/app.js'),
    silent: [
      script(`${L}/app.11aa22bb.js`, { integrity: 'sha384-abc' }),
      script(`${R}/app.33cc44dd.js`, { integrity: 'sha384-def' }),
    ],
  },
  MIXED_CONTENT_DRIFT: {
    severity: 'critical',
    left: script('https://cdn.example.net/app.js'),
    right: script('http://cdn.example.net/app.js'),
    silent: [script('http://cdn.example.net/app.js'), script('http://cdn.example.net/app.js')],
  },
  INFO_EXPOSURE_DRIFT: {
    severity: 'critical',
    left: {},
    right: { body: { markers: [{ type: 'stack-trace', name: 'python' }] } },
    silent: [{ headers: { server: 'nginx' } }, { headers: { server: 'Apache' } }],
  },
  SECURITY_GRADE_DRIFT: {
    severity: 'critical',
    left: {
      headers: {
        'content-security-policy': `${CSP}; frame-ancestors 'none'`,
        'strict-transport-security': HSTS,
      },
    },
    right: {},
    silent: [csp(CSP), csp("default-src 'none'")],
  },
  THIRD_PARTY_DRIFT: {
    severity: 'warn',
    left: {},
    right: script('https://tracker.example.net/t.js'),
    silent: [script(`${L}/a.js`), script(`${R}/a.js`)],
  },
  CACHE_HEADER_DRIFT: {
    severity: 'warn',
    left: cache('public, max-age=3600'),
    right: cache('public, max-age=0'),
    silent: [cache('Max-Age=60, PUBLIC'), cache('public,max-age="60"')],
  },
  CACHE_SCOPE_DRIFT: {
    severity: 'critical',
    left: cache('private, no-store'),
    right: cache('public, max-age=600'),
    silent: [cache('private'), cache('no-store')],
  },
  CACHE_TTL_DRIFT: {
    severity: 'warn',
    candidate: 'left',
    left: cache('max-age=60'),
    right: cache('max-age=86400'),
    silent: [cache('max-age=60'), cache('s-maxage=60, max-age=9')],
  },
  CACHE_STATUS_DRIFT: {
    severity: 'warn',
    candidate: 'left',
    left: { headers: { 'cf-cache-status': 'MISS' } },
    right: { headers: { 'cf-cache-status': 'HIT', age: '30' } },
    samples: 2,
    silent: [{ headers: { 'x-cache': 'MISS' } }, { headers: { 'x-cache': 'Miss from cloudfront' } }],
  },
  VALIDATOR_DRIFT: {
    severity: 'warn',
    left: { headers: { etag: '"abc"' } },
    right: {},
    silent: [{ headers: { etag: '"abc"' } }, { headers: { etag: '"def"' } }],
  },
  VARY_DRIFT: {
    severity: 'critical',
    left: { headers: { vary: 'Accept-Encoding' } },
    right: { headers: { vary: '*' } },
    silent: [
      { headers: { vary: 'Accept-Encoding, Origin' } },
      { headers: { vary: 'origin,accept-encoding' } },
    ],
  },
  CACHEABLE_COOKIE: {
    severity: 'critical',
    left: { ...cache('private'), cookies: [{ name: 'sid' }] },
    right: { ...cache('public, max-age=600'), cookies: [{ name: 'sid' }] },
    silent: [
      { ...cache('no-store'), cookies: [{ name: 'sid' }] },
      { ...cache('public, max-age=600'), cookies: [{ name: 'sid', deletes: true }] },
    ],
  },
  CONTENT_TYPE_DRIFT: {
    severity: 'critical',
    undirected: true,
    left: { headers: { 'content-type': 'application/json' } },
    right: {},
    silent: [{ headers: { 'content-type': 'Text/HTML' } }, {}],
  },
  CHARSET_DRIFT: {
    severity: 'warn',
    candidate: 'left',
    left: { headers: { 'content-type': 'text/html; charset=iso-8859-1' } },
    right: {},
    silent: [{ headers: { 'content-type': 'text/html; charset="UTF-8"' } }, {}],
  },
  CONTENT_ENCODING_DRIFT: {
    severity: 'warn',
    left: {},
    right: { headers: { 'content-encoding': undefined } },
    silent: [{ headers: { 'content-encoding': 'GZIP' } }, {}],
  },
  CONTENT_LANGUAGE_DRIFT: {
    severity: 'warn',
    undirected: true,
    left: { headers: { 'content-language': 'en' } },
    right: { headers: { 'content-language': 'de' } },
    silent: [{ headers: { 'content-language': 'EN' } }, { headers: { 'content-language': 'en' } }],
  },
  CONTENT_LENGTH_DRIFT: {
    severity: 'critical',
    left: {},
    right: { body: { bytes: 900 } },
    silent: [{}, { body: { bytes: 4000 } }],
  },
  BODY_HASH_DRIFT: {
    severity: 'warn',
    undirected: true,
    left: { body: { kind: 'binary' } },
    right: { body: { kind: 'binary', normalizedSha256: '9'.repeat(64) } },
    silent: [{}, { body: { sha256: '9'.repeat(64) } }],
  },
  JSON_SHAPE_DRIFT: {
    severity: 'critical',
    left: { json: { user: { name: 'a', email: 'b' }, items: [{ id: 1 }] } },
    right: { json: { user: { name: 'a' }, items: [{ id: 1 }] } },
    silent: [{ json: { items: [{ id: 1 }, { id: 2 }] } }, { json: { items: [] } }],
  },
  JSON_VALUE_DRIFT: {
    severity: 'info',
    left: { json: { flags: { checkout: true } } },
    right: { json: { flags: { checkout: false } } },
    silent: [{ json: { self: `${L}/a` } }, { json: { self: `${R}/a` } }],
  },
  JSON_ORDER_DRIFT: {
    severity: 'info',
    left: { json: { a: 1, b: 2 } },
    right: { json: { b: 2, a: 1 } },
    silent: [{ json: { a: 1, b: 2 } }, { json: { a: 1, c: 3, b: 2 } }],
  },
  JSON_ARRAY_EMPTIED: {
    severity: 'warn',
    left: { json: { items: [1, 2] } },
    right: { json: { items: [] } },
    silent: [{ json: { items: [1, 2] } }, { json: { items: [3] } }],
  },
  JSON_LIST_SHRUNK: {
    severity: 'warn',
    left: { json: { items: [1, 2, 3, 4, 5] } },
    right: { json: { items: [1, 2] } },
    silent: [{ json: { items: [1, 2, 3, 4] } }, { json: { items: [5, 6, 7, 8] } }],
  },
  TEXT_LOST: {
    severity: 'warn',
    left: text(
      'Welcome to the shop',
      SENTENCES,
      `Delivery: ${'we deliver to every country and island. '.repeat(5)}`,
      'Imprint',
    ),
    right: text('Welcome to the shop', SENTENCES, 'Imprint'),
    silent: [text('a b c', 'd e f', 'Imprint'), text('d e f', 'a b c', 'Imprint')],
  },
  TEXT_DRIFT: {
    severity: 'info',
    left: text('Welcome', 'The free plan allows three projects per team.'),
    right: text('Welcome', 'The free plan allows two projects per team.'),
    silent: [text(`Visit ${L}/shop`), text(`Visit ${R}/shop`)],
  },
  HEADINGS_LOST: {
    severity: 'warn',
    left: headings('Shop', 'Prices', 'Delivery', 'Contact'),
    right: headings('Shop', 'Contact'),
    silent: [headings('Shop', 'Prices'), headings('Shop', 'What it costs')],
  },
  HTML_STRUCTURE_DRIFT: {
    severity: 'warn',
    left: {},
    right: { html: { landmarks: { nav: 1 } } },
    silent: [{}, { html: { landmarks: { main: 2, nav: 3 }, headings: [{ level: 1, text: 'Other' }] } }],
  },
  HTML_META_DRIFT: {
    severity: 'warn',
    undirected: true,
    left: { html: { title: 'Shop', canonical: `${L}/page` } },
    right: { html: { title: 'Welcome', canonical: `${R}/page` } },
    silent: [{ html: { canonical: `${L}/page` } }, { html: { canonical: `${R}/page` } }],
  },
  ASSET_SET_DRIFT: {
    severity: 'info',
    left: script(`${L}/app.js`),
    right: script(`${R}/main.js`),
    silent: [script(`${L}/app.11aa22bb.js?v=1`), script(`${R}/app.33cc44dd.js`)],
  },
  ASSET_BROKEN: {
    severity: 'critical',
    left: { more: { resources: [resource(`${L}/app.js`, 200)] } },
    right: { more: { resources: [resource(`${R}/app.js`, 404)] } },
    silent: [
      { more: { resources: [resource(`${L}/x.js`, 404)] } },
      { more: { resources: [resource(`${R}/x.js`, 500)] } },
    ],
  },
  BUILD_VERSION_DRIFT: {
    severity: 'info',
    left: { headers: { 'x-version': '1.5.0' } },
    right: { headers: { 'x-version': '1.4.2' } },
    silent: [{ headers: { 'x-version': '1.5.0' } }, { headers: { 'x-version': '1.5.0' } }],
  },
  ERROR_PAGE_DRIFT: {
    severity: 'warn',
    left: {},
    right: { body: { markers: [{ type: 'not-found-text', name: 'english' }] } },
    silent: [{}, { status: 404, body: { markers: [{ type: 'not-found-text', name: 'english' }] } }],
  },
  UNKNOWN_DRIFT: {
    severity: 'info',
    left: { otherNames: ['x-feature-set'] },
    right: {},
    silent: [{ otherNames: ['x-request-id'] }, { headers: { 'x-served-by': 'a' } }],
  },
};
