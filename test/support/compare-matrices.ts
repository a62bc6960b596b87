/** Families of sketches of which every two are compared with each other: what differs by one thing at a time. */
import type { HtmlAsset } from '../../src/probe/index.js';
import type { Sketch } from './make-envelope.js';
import { blocks, headings, html, marked } from './sketches.js';

type Value = string | readonly string[] | undefined;

const STAGING = 'https://staging.example.com';
const SHOP = 'https://www.example.com';
const header =
  (name: string, more: Sketch = {}) =>
  (value: Value): Sketch => ({ ...more, headers: { ...more.headers, [name]: value } });
const cookie = (flags: object): Sketch => ({ cookies: [{ name: 'sid', ...flags }] });
const asset = (url: string, more: Partial<HtmlAsset> = {}): Sketch =>
  html({ assets: [{ kind: 'script', url, ...more }] });
const tls = (facts: object): Sketch => ({ exchanges: { tls: { alpn: 'h2', ...facts } } as never });
const redirected = (...hops: readonly (readonly [to: string, status: number])[]): Sketch => ({
  redirects: hops.map(([toUrl, status], at) => ({
    fromUrl: hops[at - 1]?.[0] ?? `${STAGING}/page`,
    toUrl,
    status,
  })),
});

/** By the name of what differs. The first sketch of a family is the ordinary one. */
export const MATRICES: Readonly<Record<string, readonly Sketch[]>> = {
  status: [200, 204, 404, 410, 429, 500, 503].map((status) => ({ status })),
  'cache-control': [
    'public, max-age=600',
    'max-age=0',
    'no-store',
    'private',
    's-maxage=60, max-age=0',
    'no-cache',
    undefined,
  ].map(header('cache-control')),
  vary: ['Accept-Encoding', undefined, 'Origin, accept-encoding', '*', 'Cookie'].map(header('vary')),
  etag: [undefined, '"a"', 'W/"a"'].map(header('etag')),
  'last-modified': [undefined, 'Tue, 03 Mar 2026 09:00:00 GMT', 'yesterday'].map(header('last-modified')),
  'content-type': [
    'text/html; charset=utf-8',
    'text/html',
    'text/html; charset=iso-8859-1',
    'text/plain',
    'application/json',
    undefined,
  ].map(header('content-type')),
  'content-encoding': ['gzip', 'br', undefined, 'identity'].map(header('content-encoding')),
  'content-language': [undefined, 'en', 'de', 'en, de'].map(header('content-language')),
  'strict-transport-security': [
    undefined,
    'max-age=0',
    'max-age=300',
    'max-age=31536000',
    'max-age=31536000; includeSubDomains',
    'max-age=31536000; includeSubDomains; preload',
  ].map(header('strict-transport-security')),
  'content-security-policy': [
    undefined,
    "default-src 'self'",
    "default-src 'none'",
    "default-src *; script-src 'unsafe-inline'",
    "script-src 'self' 'unsafe-eval' https:; object-src 'none'",
    "script-src 'nonce-abc' 'strict-dynamic'; base-uri 'none'",
    "default-src 'self'; frame-ancestors 'self'; upgrade-insecure-requests",
    'img-src data: blob:',
  ].map(header('content-security-policy')),
  'content-security-policy-report-only': [undefined, "default-src 'self'"].map(
    header('content-security-policy-report-only'),
  ),
  'x-frame-options': [undefined, 'DENY', 'SAMEORIGIN', 'ALLOW-FROM https://a.example'].map(
    header('x-frame-options'),
  ),
  'referrer-policy': [
    undefined,
    'no-referrer',
    'strict-origin-when-cross-origin',
    'unsafe-url',
    'nonsense',
  ].map(header('referrer-policy')),
  'x-content-type-options': ['nosniff', undefined, 'sniff'].map(header('x-content-type-options')),
  'permissions-policy': [
    undefined,
    'camera=()',
    'camera=(self)',
    'camera=*',
    'camera=(self "https://a.example"), usb=()',
  ].map(header('permissions-policy')),
  'cross-origin-opener-policy': [undefined, 'same-origin', 'same-origin-allow-popups', 'unsafe-none'].map(
    header('cross-origin-opener-policy'),
  ),
  'cross-origin-embedder-policy': [undefined, 'require-corp', 'credentialless'].map(
    header('cross-origin-embedder-policy'),
  ),
  'cross-origin-resource-policy': [undefined, 'same-origin', 'same-site', 'cross-origin'].map(
    header('cross-origin-resource-policy'),
  ),
  'access-control-allow-origin': [undefined, '*', STAGING, SHOP, 'null', 'https://other.example'].map(
    header('access-control-allow-origin'),
  ),
  'access-control-allow-credentials': [undefined, 'true', 'false'].map(
    header('access-control-allow-credentials', {
      headers: { 'access-control-allow-origin': 'https://other.example' },
    }),
  ),
  'access-control-allow-methods': [undefined, 'GET', 'GET, PUT', '*'].map(
    header('access-control-allow-methods'),
  ),
  'access-control-expose-headers': [undefined, 'X-A', 'x-a, x-b'].map(
    header('access-control-expose-headers'),
  ),
  'access-control-max-age': [undefined, '0', '600'].map(header('access-control-max-age')),
  'www-authenticate': [
    undefined,
    'Basic realm="a"',
    'Digest realm="a", nonce="1"',
    'Bearer realm="a"',
    ['Negotiate', 'Basic realm="a"'],
  ].map(header('www-authenticate', { status: 401 })),
  'x-robots-tag': [undefined, 'noindex', 'none', 'nofollow', 'otherbot: noindex'].map(header('x-robots-tag')),
  server: ['nginx', undefined, 'nginx/1.25.3', 'Apache'].map(header('server')),
  'x-powered-by': [undefined, 'PHP/8.1', 'Express'].map(header('x-powered-by')),
  'x-version': [undefined, '1.0', '1.1'].map(header('x-version')),
  'x-ratelimit-limit': [undefined, '60', '61', '1000'].map(header('x-ratelimit-limit')),
  ratelimit: [undefined, '"default";r=50;t=30', 'limit=10, remaining=5'].map(header('ratelimit')),
  'cf-cache-status': [undefined, 'HIT', 'MISS', 'BYPASS', 'DYNAMIC'].map(header('cf-cache-status')),
  'x-cache': [undefined, 'Hit from cloudfront', 'Miss from cloudfront'].map(header('x-cache')),
  via: [undefined, '1.1 varnish', '1.1 a.cloudfront.net (CloudFront)', '2 edge'].map(header('via')),
  'alt-svc': [undefined, 'h3=":443"', 'clear'].map(header('alt-svc')),
  'retry-after': [undefined, '60', '120'].map(header('retry-after', { status: 503 })),
  link: [undefined, `<${STAGING}/a.css>; rel=preload`, '</b.css>; rel=preload'].map(header('link')),
  'content-disposition': [undefined, 'attachment; filename="a.txt"', 'inline'].map(
    header('content-disposition'),
  ),
  'other headers': [
    {},
    { otherNames: ['x-feature'] },
    { otherNames: ['x-request-id'] },
    { otherNames: ['x-amz-cf-id'] },
  ],
  'a cookie': [
    {},
    cookie({}),
    cookie({ secure: false }),
    cookie({ httpOnly: false }),
    cookie({ sameSite: 'none' }),
    cookie({ sameSite: 'strict' }),
    cookie({ domain: '.example.com' }),
    cookie({ path: '/admin' }),
    cookie({ deletes: true }),
    { cookies: [{ name: '__Host-sid' }] },
    { cookies: [{ name: 'sid' }, { name: 'theme', httpOnly: false }] },
  ],
  redirects: [
    {},
    redirected([`${STAGING}/en`, 301]),
    redirected([`${STAGING}/en`, 302]),
    redirected([`${STAGING}/en/`, 301]),
    redirected([`${STAGING}/a`, 301], [`${STAGING}/en`, 301]),
    redirected([`${STAGING}/en?x=1`, 301]),
    redirected(['http://staging.example.com/en', 301]),
    redirected(['https://other.example/en', 301]),
    redirected([`${STAGING}/login`, 302]),
  ],
  failures: [
    {},
    { error: { code: 'timeout', message: 'no response in time' } },
    { error: { code: 'tls_error', message: 'expired' } },
    { status: 403, ...marked('challenge', 'cloudflare') },
    marked('stack-trace', 'python'),
    marked('not-found-text', 'english'),
    marked('login-form', 'password'),
  ] as Sketch[],
  'the head of a page': [
    {},
    html({ title: 'Shop' }),
    html({ title: 'Other' }),
    html({ canonical: `${STAGING}/page` }),
    html({ canonical: `${STAGING}/other` }),
    html({ lang: 'en' }),
    html({ lang: 'de' }),
    html({ robots: ['noindex'] }),
    html({ description: 'A shop' }),
    html({ description: 'B shop' }),
    html({ alternates: [{ hreflang: 'de', href: `${STAGING}/de` }] }),
  ],
  'the structure of a page': [
    {},
    headings('1 Shop', '2 Prices'),
    headings('2 Shop', '2 Prices'),
    headings('1 Shop', '1 Prices', '2 More', '2 Other'),
    html({ landmarks: { main: 1 } }),
    html({ landmarks: { main: 1, nav: 2, footer: 1 } }),
    html({ forms: [{ action: `${STAGING}/send`, method: 'post', fields: ['a', 'b'] }] } as never),
    html({ forms: [{ action: `${STAGING}/send`, method: 'get', fields: ['a'] }] } as never),
    html({ elements: 400, textChars: 90 }),
    html({ inlineScripts: 5, inlineStyles: 3 }),
    html({ structuredData: ['Product'] } as never),
  ],
  'the files of a page': [
    {},
    asset(`${STAGING}/app.js`),
    asset(`${STAGING}/app.11aa22bb.js`),
    asset('https://cdn.example.net/a.js'),
    asset('https://cdn.example.net/a.js', { integrity: 'sha384-a' }),
    asset('http://cdn.example.net/a.js'),
    html({ assets: [{ kind: 'image', url: 'http://cdn.example.net/a.png' }] }),
    html({ assets: [{ kind: 'style', url: `${STAGING}/a.css` }] }),
  ],
  'the text of a page': [
    blocks('Welcome', 'One two three four five six seven eight nine ten.'),
    blocks('Welcome', 'One two three four five six seven eight nine eleven.'),
    blocks('Welcome'),
    blocks('One two three four five six seven eight nine ten.', 'Welcome'),
    blocks('Welcome', 'One two three four five six seven eight nine ten.', 'More text at the end.'),
    blocks(),
  ],
  'a JSON body': [
    { a: 1, list: [1, 2, 3, 4], on: true, name: 'x', none: null },
    { a: 2, list: [1, 2, 3, 4], on: true, name: 'x', none: null },
    { a: '1', list: [1, 2, 3, 4], on: true, name: 'x', none: null },
    { a: 1, list: [], on: true, name: 'x', none: null },
    { a: 1, list: [1, 2], on: true, name: 'x', none: null },
    { list: [1, 2, 3, 4], a: 1, on: true, name: 'x', none: null },
    { a: 1, list: [1, 2, 3, 4], on: false, name: 'y' },
    { a: 1, list: [{ id: 1 }, { id: 'b', more: 1 }], on: true, name: 'x', none: 1 },
    [1, 2],
    'text',
  ].map((json) => ({ json })),
  'the size of a body': [4000, 4001, 3600, 2999, 1599, 0].map((bytes) => ({
    headers: { 'content-type': 'application/octet-stream' },
    body: { kind: 'other' as never, bytes, sha256: String(bytes), normalizedSha256: String(bytes) },
  })),
  'the time of a response': [100, 140, 201, 400, 1500].map((durationMs) => ({ durationMs })),
  protocols: [
    tls({}),
    tls({ alpn: 'http/1.1' }),
    tls({ alpn: undefined, protocol: 'TLSv1.2' }),
    tls({ protocol: 'TLSv1.3' }),
    { more: { protocol: 'h2' } } as Sketch,
  ],
  methods: [
    { exchanges: { head: { status: 200 } } },
    { exchanges: { head: { status: 405 } } },
    { exchanges: { head: { status: 404 } } },
    { exchanges: { options: { status: 204, headers: { allow: ['GET, HEAD'] } } } },
    { exchanges: { options: { status: 204, headers: { allow: ['GET'] } } } },
    { exchanges: { options: { status: 404 } } },
  ] as Sketch[],
};
