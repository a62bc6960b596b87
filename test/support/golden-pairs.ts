/**
 * Realistic pairs from which the golden files under test/golden/compare are written. Tests and benchmarks read those
 * files, not this one; it exists so that a pair can be added or understood.
 */
import type { HtmlFacts, SignalEnvelope } from '../../src/probe/index.js';
import { makeEnvelope, type Sketch } from './make-envelope.js';

export interface GoldenPair {
  readonly left: readonly SignalEnvelope[];
  readonly right: readonly SignalEnvelope[];
}

type Build = (host: string, n: number) => Sketch;

const L = 'https://staging.shop.example';
const R = 'https://www.shop.example';
const CSP = (host: string, nonce: string) =>
  `default-src 'self'; script-src 'self' 'nonce-${nonce}' ${host}; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' data: https://img.shop.example`;

/** More than thirty headers, some of which change with every response. */
const headers = (host: string, n: number): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=300, s-maxage=600, stale-while-revalidate=60',
  vary: n % 2 === 0 ? 'Origin, Accept-Encoding' : 'Accept-Encoding, Origin',
  date: `Tue, 03 Mar 2026 10:00:0${n % 10} GMT`,
  age: String(n * 3),
  etag: `W/"${n}f3a9c"`,
  'last-modified': 'Mon, 02 Mar 2026 08:00:00 GMT',
  'content-encoding': 'br',
  'content-language': 'en',
  'content-length': String(5200 + n),
  'content-security-policy': CSP(host, `n${n}`),
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(self), payment=(self)',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-site',
  'access-control-allow-origin': host,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-expose-headers': 'ETag, X-Request-Id',
  server: 'cloudflare',
  'cf-ray': `8f1b2c3d4e5f6a7${n % 10}-FRA`,
  'cf-cache-status': 'HIT',
  via: '1.1 varnish',
  'x-cache': 'HIT',
  'alt-svc': 'h3=":443"; ma=86400',
  link: `<${host}/app.css>; rel=preload; as=style`,
  'server-timing': `db;dur=${n}.5`,
  'reporting-endpoints': `default="${host}/reports"`,
  'x-ratelimit-limit': '600',
  'x-ratelimit-remaining': String(599 - n),
  'x-version': '4.12.0',
  'accept-ranges': 'bytes',
  'timing-allow-origin': '*',
});

/** With 25 products it has more than 20 KB of facts as entries. */
const catalogue = (host: string, n: number, products = 2) => ({
  generatedAt: `2026-03-03T10:00:0${n % 10}Z`,
  requestId: `req-${n}${n}${n}`,
  next: `${host}/api/products?page=2`,
  items: Array.from({ length: products }, (_, index) => ({
    id: 1000 + index,
    name: `Product ${index}`,
    price: { amount: 1990 + index, currency: 'EUR' },
    stock: index % 3 === 0,
    tags: ['new', 'sale'],
    image: `${host}/img/${index}.webp`,
    rating: null,
  })),
});

const api = (host: string, n: number, more: Sketch = {}): Sketch => ({
  url: `${host}/api/products`,
  headers: { ...headers(host, n), ...more.headers },
  json: more.json ?? catalogue(host, n),
  cookies: more.cookies ?? [{ name: 'sessionid', sameSite: 'lax', domain: new URL(host).hostname }],
  otherNames: ['x-request-id', ...(more.otherNames ?? [])],
  durationMs: 80 + n * 2,
  body: {
    normalizedSha256: '3'.repeat(64),
    sha256: String(n).repeat(64).slice(0, 64),
    bytes: 5200,
    ...more.body,
  },
  exchanges: {
    head: { status: more.status ?? 200 },
    dns: { a: ['203.0.113.7'], aaaa: [], cname: ['shop.cdn.example'] },
    tls: { alpn: 'h2', version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', authorized: true },
    httpVariant: {
      url: `${host.replace('https', 'http')}/api/products`,
      status: 301,
      headers: { location: [`${host}/api/products`] },
    },
    ...more.exchanges,
  },
  ...(more.status !== undefined && { status: more.status }),
  ...(more.error && { error: more.error }),
  ...(more.redirects && { redirects: more.redirects }),
  ...(more.more && { more: more.more }),
});

const PRODUCTS_FULL = 25;

/** The same with a full-size body. */
const full =
  (more: Sketch = {}): Build =>
  (host, n) =>
    api(host, n, { json: catalogue(host, n, PRODUCTS_FULL), ...more });

const page = (host: string, n: number, html: Partial<HtmlFacts> = {}, more: Sketch = {}): Sketch => ({
  ...api(host, n, more),
  url: `${host}/`,
  json: undefined,
  headers: { ...headers(host, n), 'content-type': 'text/html; charset=utf-8', ...more.headers },
  html: {
    title: 'Shop',
    canonical: `${host}/`,
    metas: [{ name: 'og:title', content: 'Shop' }],
    assets: [
      { kind: 'script', url: `${host}/app.${n}a1b2c3d4.js`, integrity: 'sha384-x' },
      { kind: 'style', url: `${host}/app.css` },
    ],
    forms: [{ method: 'get', fields: ['search:q'], hasPassword: false }],
    ...html,
  },
});

const samples = (left: Build, right: Build, count = 3): GoldenPair => ({
  left: Array.from({ length: count }, (_, k) => makeEnvelope('left', left(L, k * 2), k + 1)),
  right: Array.from({ length: count }, (_, k) => makeEnvelope('right', right(R, k * 2 + 1), k + 1)),
});

const withHeaders =
  (changed: NonNullable<Sketch['headers']>): Build =>
  (host, n) =>
    api(host, n, { headers: changed });

export const GOLDEN_PAIRS: Readonly<Record<string, GoldenPair>> = {
  'identical-api': samples(full(), full()),
  'identical-page': samples(page, page),
  'cache-turned-off': samples(full(), full({ headers: { 'cache-control': 'no-store' } })),
  'cors-narrowed': samples(withHeaders({ 'access-control-allow-origin': '*' }), api),
  'csp-weakened': samples(
    full(),
    full({
      headers: {
        'content-security-policy': "default-src 'self'; script-src 'self' 'unsafe-inline'; object-src 'none'",
      },
    }),
  ),
  'security-headers-lost': samples(
    full(),
    full({
      headers: {
        'content-security-policy': undefined,
        'strict-transport-security': undefined,
        'x-frame-options': undefined,
        'x-content-type-options': undefined,
      },
    }),
  ),
  'json-field-removed': samples(full(), (host, n) => {
    const { next: _, ...rest } = catalogue(host, n, PRODUCTS_FULL);
    return api(host, n, { json: { ...rest, items: rest.items.map(({ stock: __, ...item }) => item) } });
  }),
  'json-type-changed': samples(api, (host, n) => {
    const whole = catalogue(host, n);
    return api(host, n, {
      json: { ...whole, items: whole.items.map((item) => ({ ...item, id: String(item.id) })) },
    });
  }),
  'production-error': samples(api, (host, n) =>
    api(host, n, { status: 500, json: { error: 'internal' }, headers: { 'cache-control': 'no-store' } }),
  ),
  'staging-behind-login': samples(
    (host, n) =>
      api(host, n, {
        status: 401,
        json: { error: 'login' },
        headers: { 'www-authenticate': 'Basic realm="staging"' },
      }),
    api,
  ),
  'production-dead': samples(api, (host, n) =>
    api(host, n, {
      error: {
        code: 'connect_error',
        message: 'refused',
        details: { phase: 'connect', reason: 'ECONNREFUSED' },
      },
    }),
  ),
  'dead-against-error': samples(
    (host, n) => api(host, n, { status: 503, json: {} }),
    (host, n) => api(host, n, { error: { code: 'dns_error', message: 'no such host' } }),
  ),
  'both-dead': samples(
    (host, n) => api(host, n, { error: { code: 'timeout', message: '10 s' } }),
    (host, n) => api(host, n, { error: { code: 'timeout', message: '10 s' } }),
  ),
  'production-flaky': samples(api, (host, n) => api(host, n, n === 3 ? { status: 502, json: {} } : {})),
  'production-challenged': samples(api, (host, n) =>
    api(host, n, {
      status: 403,
      headers: { 'cf-mitigated': 'challenge' },
      body: { markers: [{ type: 'challenge', name: 'cloudflare' }] },
    }),
  ),
  'redirect-elsewhere': samples(
    (host, n) =>
      page(host, n, {}, { redirects: [{ fromUrl: `${host}/`, toUrl: `${host}/en`, status: 302 }] }),
    (host, n) =>
      page(host, n, {}, { redirects: [{ fromUrl: `${host}/`, toUrl: `${host}/welcome`, status: 301 }] }),
  ),
  'page-noindex-and-broken': samples(page, (host, n) =>
    page(host, n, { robots: ['noindex'], landmarks: { nav: 1 }, forms: [], title: 'Welcome' }),
  ),
  'staging-in-production': samples(page, (host, n) =>
    page(
      host,
      n,
      { canonical: `${L}/` },
      { body: { origins: [{ origin: L, count: 3 }] }, headers: { link: `<${L}/app.css>; rel=preload` } },
    ),
  ),
  'cookies-bare': samples(api, (host, n) =>
    api(host, n, {
      cookies: [{ name: 'sessionid', secure: false, httpOnly: false, sameSite: 'none' }, { name: 'tracker' }],
    }),
  ),
  'slower-production': samples(api, (host, n) => ({ ...api(host, n), durationMs: 900 + n * 5 }), 6),
  'slower-in-three-samples': samples(api, (host, n) => ({ ...api(host, n), durationMs: 900 + n * 5 })),
  'older-tls-and-http': samples(api, (host, n) =>
    api(host, n, {
      exchanges: { tls: { alpn: 'http/1.1', version: 'TLSv1.2', authorized: true } },
      headers: { 'alt-svc': undefined },
    }),
  ),
  'another-cdn-and-build': samples(
    (host, n) =>
      api(host, n, {
        headers: {
          server: 'nginx/1.27.1',
          'cf-ray': undefined,
          'cf-cache-status': undefined,
          via: undefined,
          'x-cache': undefined,
          age: undefined,
          'x-version': '4.13.0-rc1',
        },
      }),
    api,
  ),
  'unknown-headers': samples(
    (host, n) => api(host, n, { otherNames: ['x-a', 'x-b', 'x-c'], headers: { 'x-environment': 'staging' } }),
    (host, n) => api(host, n, { headers: { 'x-environment': 'production' } }),
  ),
  'core-profile': (() => {
    const core = (side: 'left' | 'right', sketch: Sketch): SignalEnvelope => {
      const { schemaVersion, comparisonId, probeId, requestedUrl, capturedAt, result, cf } = makeEnvelope(
        side,
        sketch,
      );
      const headerless =
        'response' in result
          ? { ...result, response: { ...result.response, headers: { core: result.response.headers.core } } }
          : result;
      return {
        schemaVersion,
        comparisonId,
        probeId,
        side,
        requestedUrl,
        capturedAt,
        result: headerless,
        ...(cf && { cf }),
      };
    };
    return {
      left: [core('left', api(L, 0))],
      right: [core('right', api(R, 1, { status: 404, headers: { vary: '*' } }))],
    };
  })(),
};
