/** More families of sketches: headers that work together, further requests of a probe, connections and redirects. */
import type { CertificateFacts, RedirectHop, SignalEnvelope } from '../../src/probe/index.js';
import type { Sketch } from './make-envelope.js';

/** Each side's own host is put in its place. */
const OWN = 'https://{ownHost}';
const SHOP = 'https://www.example.com';
const headers = (given: NonNullable<Sketch['headers']>): Sketch => ({ headers: given });
const more = (facts: Partial<SignalEnvelope>): Sketch => ({ more: facts });

/** Requested over http, and redirected to each of the URLs in turn. */
const overHttp = (...targets: string[]): Sketch => {
  const url = 'http://{ownHost}/page';
  const redirects = targets.map(
    (toUrl, at): RedirectHop => ({
      fromUrl: targets[at - 1] ?? url,
      toUrl,
      status: 301,
    }),
  );
  return { url, redirects };
};

const preflight = (facts: {
  status?: number;
  method?: string;
  requestHeaders?: string;
  allow?: Readonly<Record<string, string>>;
}): Sketch => {
  const { status = 204, method = 'PUT', requestHeaders = '', allow = {} } = facts;
  const fields = Object.entries({ origin: '*', ...allow }).map(
    ([name, value]) => [`access-control-allow-${name}`, [value]] as const,
  );
  const exchange = { origin: OWN, method, requestHeaders, status, headers: Object.fromEntries(fields) };
  return { exchanges: { preflight: exchange } };
};

const certificate = (facts: Partial<CertificateFacts>): CertificateFacts => ({
  subject: 'CN=example',
  issuer: 'O=Authority',
  altNames: [],
  validFrom: '2026-01-01T00:00:00Z',
  validTo: '2026-12-01T00:00:00Z',
  ...facts,
});
const handshake = (facts: Partial<CertificateFacts>, chainLength = 2): Sketch => {
  const chain = Array.from({ length: chainLength }, () => ({ subject: 'CN=example', issuer: 'O=Authority' }));
  return { exchanges: { tls: { authorized: true, certificate: certificate(facts), chain } } };
};
const negotiated = (tlsVersion: string): Sketch =>
  more({ hops: [{ url: `${OWN}/page`, status: 200, tlsVersion }] });
const robotsTxt = (allow: string[], disallow: string[]): Sketch => ({
  exchanges: {
    robots: {
      status: 200,
      robots: { groups: [{ agents: ['*'], allow, disallow }], sitemaps: [], truncated: false },
    },
  },
});

export const HEADER_MATRICES: Readonly<Record<string, readonly Sketch[]>> = {
  'cache directives': [
    'public, max-age=600',
    'public, max-age=600, immutable',
    'public, max-age=600, stale-while-revalidate=60, stale-if-error=60',
    'public, max-age=600, must-revalidate',
    'public, max-age=600, must-revalidate, no-transform',
    'public, max-age=600, proxy-revalidate, immutable',
    'MAX-AGE="600" ,public',
    'public, max-age=60',
    'public, s-maxage=60, max-age=600',
    'public',
    'private, max-age=600',
  ].map((value) => headers({ 'cache-control': value })),
  'cache fields of other names': [
    {},
    headers({ 'cdn-cache-control': 'max-age=60' }),
    headers({ 'surrogate-control': 'max-age=60' }),
    headers({ 'surrogate-control': 'max-age=600' }),
    headers({ pragma: 'no-cache' }),
    headers({ expires: 'Tue, 03 Mar 2026 10:10:00 GMT' }),
    { headers: { pragma: 'no-cache' }, unobserved: ['headers.extended'] },
  ],
  'cookies that caches may store': [
    {},
    { cookies: [{ name: 'theme' }] },
    { cookies: [{ name: 'theme', deletes: true }] },
    { cookies: [{ name: 'theme' }], headers: { 'cache-control': 'private' } },
    { cookies: [{ name: 'theme' }], headers: { 'cache-control': undefined } },
    { cookies: [{ name: '__cf_bm' }, { name: '_ga_8F2K1XQZ' }] },
    { cookies: [{ name: '_ga_9G3L2YRA' }] },
  ],
  'robots directives': [
    {},
    headers({ 'x-robots-tag': 'nosnippet' }),
    headers({ 'x-robots-tag': 'NoFollow, nosnippet' }),
    headers({ 'x-robots-tag': 'noarchive' }),
    { html: { robots: ['nofollow', 'nosnippet'] } },
    { html: { robots: ['noindex, nofollow'] } },
    { html: { robots: ['none'] }, headers: { 'x-robots-tag': 'noindex' } },
  ],
  'patterns of robots.txt': [
    robotsTxt([], []),
    robotsTxt([], ['']),
    robotsTxt([], ['/page$']),
    robotsTxt([], ['/pag$']),
    robotsTxt([], ['/*ge']),
    robotsTxt([], ['/*e$']),
    robotsTxt([], ['/*page*page$']),
    robotsTxt(['/page'], ['/page']),
    robotsTxt(['/p'], ['/page']),
  ],
  'methods and the status of GET': [
    { exchanges: { head: { status: 200 } } },
    { exchanges: { head: { status: 204 } } },
    { exchanges: { head: { status: 302 } } },
    { exchanges: { head: { status: 399 } } },
    { exchanges: { head: { status: 400 } } },
    { exchanges: { head: { status: 500 } } },
    { status: 404, exchanges: { head: { status: 404 } } },
    headers({ allow: 'get, head' }),
    headers({ allow: 'GET, HEAD, PUT' }),
    headers({ allow: 'DELETE' }),
  ] as Sketch[],
  'signs of a CDN': [
    {},
    headers({ 'cf-ray': '8f0c1a2b3c4d5e6f-FRA' }),
    headers({ server: 'cloudflare' }),
    headers({ server: 'AkamaiGHost' }),
    headers({ via: '1.1 google' }),
    headers({ via: '1.1 varnish, 1.1 vegur' }),
    headers({ via: '1.1 vegur' }),
    headers({ 'x-served-by': 'cache-fra1' }),
    headers({ 'x-served-by': 'app-1' }),
    { otherNames: ['x-azure-ref', 'x-envoy-upstream-service-time'] },
    { otherNames: ['x-nf-request-id'] },
  ],
  'unclassified headers': [
    {},
    headers({ 'accept-ranges': 'bytes' }),
    headers({ 'accept-ranges': 'none' }),
    { headers: { 'accept-ranges': 'bytes' }, otherNames: ['x-a'] },
    { headers: { 'accept-ranges': 'bytes' }, otherNames: ['x-a', 'x-b'] },
    { otherNames: ['x-amzn-trace-id', 'x-b3-spanid', 'x-correlation-id', 'x-timer'] },
    { otherNames: ['x-a', 'x-b', 'x-c'], unobserved: ['headers.names'] },
    { headers: { 'x-environment': 'test' }, unobserved: ['headers.extended'] },
  ],
  'login schemes': ['Basic', 'Digest', 'NTLM', 'Negotiate', 'Bearer', 'DPoP', 'Mutual', 'HOBA', 'Own'].map(
    (scheme) => ({ status: 401, headers: { 'www-authenticate': `${scheme} realm="a"` } }),
  ),
  'server software': [
    headers({ server: undefined }),
    headers({ server: 'nginx' }),
    headers({ server: 'nginx/1.25' }),
    headers({ server: 'nginx', 'x-aspnet-version': '4.0.30319' }),
    headers({ server: 'nginx', 'x-generator': 'Drupal 10' }),
    headers({ server: 'nginx', 'x-debug-token-link': '/_profiler/1' }),
    headers({ server: 'nginx', 'x-commit': 'abc' }),
    headers({ server: 'nginx', 'x-commit': 'def' }),
  ],
  'policies that only report': [
    {},
    headers({ 'cross-origin-opener-policy-report-only': 'same-origin' }),
    headers({ 'cross-origin-opener-policy': 'same-origin; report-to="a"' }),
    headers({ 'cross-origin-opener-policy': 'noopener-allow-popups' }),
    headers({ 'cross-origin-embedder-policy': 'credentialless' }),
  ],
  'minor security headers': [
    {},
    headers({ 'x-xss-protection': '0' }),
    headers({ 'x-xss-protection': '1; mode=block' }),
    headers({ 'x-content-type-options': ' NoSniff ' }),
    headers({ 'referrer-policy': 'origin' }),
    headers({ 'referrer-policy': 'strict-origin, no-referrer' }),
    headers({ nel: '{"report_to":"a"}' }),
  ],
  'limits of requests': [
    {},
    headers({ 'ratelimit-limit': '100' }),
    headers({ 'ratelimit-limit': '50' }),
    headers({ 'ratelimit-policy': '"a";q=100;w=60' }),
    headers({ 'ratelimit-policy': '"a";q=50;w=60' }),
    headers({ ratelimit: '"a";r=5;t=3' }),
    headers({ ratelimit: '"b";r=5;t=3' }),
    headers({ 'x-ratelimit-limit': 'many' }),
  ],
  'blocked probes': [
    {},
    { status: 429 },
    headers({ 'cf-mitigated': 'challenge' }),
    { status: 403, body: { markers: [{ type: 'challenge', name: 'turnstile' }] } },
    { status: 401 },
    { status: 407 },
  ],
  'probes that failed': [
    {},
    { error: { code: 'redirect_loop', message: 'seen before' } },
    { error: { code: 'redirect_limit', message: 'more than 10' }, ...overHttp(`${OWN}/a`) },
    { error: { code: 'redirect_downgrade', message: 'to http', details: { url: 'http://a.test/' } } },
    { error: { code: 'redirect_downgrade', message: 'to http' } },
    { error: { code: 'tls_error', message: 'bad', details: { reason: 'CERT_HAS_EXPIRED', phase: 'tls' } } },
    {
      error: {
        code: 'dns_error',
        message: 'no such name',
        details: { phase: 'dns', reason: 'ENOTFOUND', hop: 1 },
      },
    },
  ] as Sketch[],
  'requests over http': [
    {},
    overHttp(),
    overHttp(`${OWN}/page`),
    overHttp(`${OWN}/page`, `${OWN}/en`),
    overHttp(`${OWN}/page?x=1`),
    overHttp('https://other.example/page'),
    overHttp('http://{ownHost}/en'),
    { redirects: [{ fromUrl: `${OWN}/page`, toUrl: `${OWN}/en`, status: 301 }] },
    {
      redirects: [
        { fromUrl: `${OWN}/page`, toUrl: 'http://{ownHost}/page', status: 301 },
        { fromUrl: 'http://{ownHost}/page', toUrl: `${OWN}/en`, status: 301 },
      ],
    },
  ],
  'a Location without a redirect': [
    { status: 201, headers: { location: `${OWN}/new` } },
    { status: 201, headers: { location: `${SHOP}/new` } },
    { status: 201, headers: { location: '/new' } },
    { status: 201 },
  ],
  'preflights with headers': [
    preflight({ requestHeaders: 'content-type', allow: { methods: 'PUT', headers: 'Content-Type' } }),
    preflight({ requestHeaders: 'content-type', allow: { methods: 'PUT', headers: '*' } }),
    preflight({ requestHeaders: 'authorization', allow: { methods: 'PUT', headers: '*' } }),
    preflight({ requestHeaders: 'authorization', allow: { methods: 'PUT', headers: '*, authorization' } }),
    preflight({ requestHeaders: 'content-type, x-a', allow: { methods: 'PUT', headers: 'x-a' } }),
    preflight({ method: 'POST' }),
    preflight({ method: 'DELETE', allow: { methods: 'delete' } }),
    preflight({ method: 'DELETE', allow: { methods: '*' } }),
    preflight({ method: 'DELETE' }),
    preflight({ method: 'GET', status: 299 }),
    preflight({ method: 'GET', status: 300 }),
    preflight({ method: 'GET', allow: { origin: 'https://other.example' } }),
    preflight({ method: 'GET', allow: { origin: ` ${OWN} ` } }),
  ],
  'keys of certificates': [
    handshake({ keyType: 'rsa', keyBits: 2048 }),
    handshake({ keyType: 'rsa', keyBits: 4096 }),
    handshake({ keyType: 'ec', keyBits: 256 }),
    handshake({ keyType: 'ed25519' }),
    handshake({}),
    handshake({ keyType: 'rsa', keyBits: 2048 }, 3),
    handshake({ keyType: 'rsa', keyBits: 2048, issuer: 'CN=R3, O="Let\'s Encrypt"' }),
    handshake({ keyType: 'rsa', keyBits: 2048, issuer: 'CN=Private' }),
    handshake({ keyType: 'rsa', keyBits: 1024, sha256: 'aa', issuer: 'CN=Private' }),
    handshake({ keyType: 'rsa', keyBits: 512, sha256: 'aa' }),
  ],
  'TLS versions of hops': ['TLSv1.3', 'TLSv1.2', 'TLS 1.1', '1', 'SSLv3', 'unknown'].map(negotiated),
  'how the sides were probed': [
    {},
    more({ source: { kind: 'har', runner: 'Firefox', cacheState: 'cache' } }),
    more({ source: { kind: 'active', runner: 'workers', region: 'WEUR' } }),
    more({ source: { kind: 'active', runner: 'workers', region: 'ENAM', cacheState: 'network' } }),
    more({ address: { ip: '2001:db8::1', family: 6 } }),
    more({ request: { method: 'HEAD', headerNames: [], accept: '*/*', hadCookies: true } }),
    more({ request: { method: 'GET', headerNames: [], accept: 'text/html', hadCookies: false } }),
    more({ request: { method: 'GET', headerNames: [], userAgent: 'a', acceptLanguage: 'de' } }),
    more({ request: { method: 'GET', headerNames: [], userAgent: 'b', acceptLanguage: 'en' } }),
    more({ request: { method: 'GET', headerNames: [], acceptEncoding: 'br', hadAuthorization: true } }),
    more({ request: { method: 'GET', headerNames: [], acceptEncoding: 'gzip', hadAuthorization: false } }),
  ],
};

const phased = (ttfb: number, download = 10): Sketch => ({ more: { phases: { dns: 5, ttfb, download } } });

/** Families of sides with several samples. */
export const MORE_SAMPLED: Readonly<Record<string, readonly (readonly Sketch[])[]>> = {
  'samples of a cache': [
    [{}, {}],
    [{}, headers({ 'cf-cache-status': 'HIT' })],
    [headers({ 'x-cache': 'Hit from cloudfront' }), {}],
    [{}, headers({ age: '12' })],
    [headers({ age: '0' }), headers({ 'x-cache-hits': '0, 0' })],
    [{}, headers({ 'x-cache-hits': '0, 1' })],
    [headers({ 'cache-status': 'edge; fwd=stale' }), {}],
    [headers({ 'cf-cache-status': 'HIT' })],
  ],
  'samples of sizes': [
    [4_000, 4_000, 4_000],
    [3_000, 3_000, 3_000],
    [2_900, 4_000, 2_900],
    [2_900, 3_900, 2_900],
    [1_000, 1_100, 1_050],
  ].map((sizes) =>
    sizes.map((bytes) => ({ headers: { 'content-type': 'image/png' }, body: { kind: 'binary', bytes } })),
  ),
  'samples of phases': [
    [20, 21, 22, 20, 21].map((time) => phased(time)),
    [120, 121, 122, 120, 121].map((time) => phased(time)),
    [20, 21, 22, 20, 21].map((time) => phased(time, 90)),
    [120, 121].map((time) => phased(time)),
  ],
  'samples of times that vary': [
    [100, 101, 99, 100, 102, 100],
    [100, 101, 99, 100, 102, 201],
    [100, 101, 99, 100, 102, 199],
    [100, 101, 99, 100, 500, 600],
    [0, 0, 0, 0, 0, 300],
  ].map((times) => times.map((durationMs) => ({ durationMs }))),
};
