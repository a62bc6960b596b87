/** More families of sketches: what further requests of a probe found, and sides with several samples. */
import type { Sketch } from './make-envelope.js';
import { blocks } from './sketches.js';

const STAGING = 'https://staging.example.com';
const SHOP = 'https://www.example.com';

const session = (flags: object): Sketch => ({ cookies: [{ name: 'PHPSESSID', ...flags }] });

export const EXCHANGE_MATRICES: Readonly<Record<string, readonly Sketch[]>> = {
  'a session cookie': [
    session({}),
    session({ httpOnly: false }),
    session({ secure: false, sameSite: 'none' }),
    session({ sameSite: 'lax' }),
    session({ sameSite: 'odd' }),
    session({ partitioned: true }),
    session({ domain: 'staging.example.com' }),
    session({ domain: '.example.com' }),
    session({ domain: 'example.com', path: '/a/b' }),
    session({ path: '/a' }),
    session({ lifetimeSeconds: 60 }),
    session({ lifetimeSeconds: 600 }),
    session({ lifetimeSeconds: 599 }),
    session({ lifetimeSeconds: 86_400 }),
  ],
  'JSON of other types': [
    { id: 1, tags: ['a'], nested: { deep: { x: 1.5 } } },
    { id: 1, tags: ['a', 'b'], nested: { deep: { x: 1.25 } } },
    { id: '1', tags: [1], nested: { deep: null } },
    { id: 1, tags: {}, nested: [] },
    { id: null, tags: ['a'], nested: { deep: { x: 1.5, y: 2 } } },
    { 'a/b~c': 1, id: 1, tags: ['a'], nested: { deep: { x: 1.5 } } },
    { id: 1, tags: [{ n: 1 }, { n: 2 }, { n: 'x' }], nested: { deep: { x: 1.5 } } },
    { id: 1, tags: [{ n: 1 }, {}, { n: 3 }], nested: { deep: { x: 1.5 } } },
    [],
    [{ id: 1 }, { id: 2 }],
  ].map((json) => ({ json })),
  'JSON of an error': [
    { json: { a: 1 } },
    { status: 404, json: { error: 'x' } },
    { status: 500, json: { error: 'x', trace: 'y' } },
  ],
  dns: [
    { a: ['203.0.113.1'], aaaa: [] },
    { a: ['203.0.113.1'], aaaa: ['2001:db8::1'] },
    { aaaa: ['2001:db8::2'], cname: ['a.edge.cdn.example.'] },
    { aaaa: ['2001:db8::2'], cname: ['b.EDGE.cdn.example', 'cdn.staging.example.com'] },
    { aaaa: [], cname: ['host'] },
    { a: ['203.0.113.1'], caa: ['0 issue "a.example"'] },
    { a: ['203.0.113.1'], caa: [] },
    { error: 'SERVFAIL' },
  ].map((dns) => ({ exchanges: { dns } }) as Sketch),
  expires: [undefined, 'Tue, 03 Mar 2026 10:10:00 GMT', 'Tue, 03 Mar 2026 09:00:00 GMT', '0', 'soon'].map(
    (expires) => ({ headers: { 'cache-control': undefined, expires } }),
  ),
  'an expiry without a date': [undefined, 'Tue, 03 Mar 2026 10:10:00 GMT'].map((expires) => ({
    headers: { 'cache-control': undefined, date: undefined, expires },
  })),
  'who may frame a page': [
    {},
    { headers: { 'content-security-policy': 'frame-ancestors *' } },
    { headers: { 'content-security-policy': "frame-ancestors 'self' https://a.example" } },
    { headers: { 'content-security-policy': 'frame-ancestors' } },
    { headers: { 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'SAMEORIGIN' } },
    { headers: { 'x-frame-options': ' sameorigin ' } },
  ],
  'several policies': [
    ["default-src 'self'", "script-src 'unsafe-inline'; object-src 'none'"],
    ["script-src 'unsafe-inline' 'unsafe-eval'; object-src 'none'"],
    ["script-src 'unsafe-inline' 'sha256-abc'; object-src 'none'"],
    ["script-src 'self' data: blob: http: *; object-src *"],
    ["script-src 'self'; script-src-elem 'unsafe-inline'; script-src-attr 'unsafe-eval'; object-src 'none'"],
    ["script-src 'strict-dynamic' 'unsafe-eval' https:; object-src 'none'; base-uri 'self'"],
  ].map((policies) => ({ headers: { 'content-security-policy': policies } })),
  'a policy that only reports': [
    { headers: { 'content-security-policy': "default-src 'self'" } },
    { headers: { 'content-security-policy-report-only': "default-src 'self'" } },
    {
      headers: {
        'content-security-policy': "default-src 'self'",
        'content-security-policy-report-only': "default-src 'none'",
      },
    },
  ],
  certificates: [
    {},
    { validTo: '2026-03-10T10:00:00Z' },
    { validTo: '2026-03-02T10:00:00Z' },
    { issuer: 'O=Internal CA' },
    { altNames: ['DNS:staging.example.com', 'DNS:*.example.com'] },
    { subject: 'CN=other' },
  ].map((more) => ({
    more: {
      certificate: {
        ...{ subject: 'CN=example', issuer: "C=US\nO=Let's Encrypt\nCN=R11", altNames: [] },
        ...{ validFrom: '2026-01-01T00:00:00Z', validTo: '2026-12-01T00:00:00Z', ...more },
      },
    },
  })) as Sketch[],
  'a TLS connection': [
    { authorized: true, version: 'TLSv1.3' },
    { authorized: true, version: 'TLSv1.2' },
    { authorized: true, version: 'TLSv1.1' },
    { authorized: false, authorizationError: 'CERT_HAS_EXPIRED' },
    { authorized: false },
  ].map((facts) => ({ exchanges: { tls: facts } }) as Sketch),
  'a preflight': [
    {
      status: 204,
      headers: { 'access-control-allow-origin': ['*'], 'access-control-allow-methods': ['PUT'] },
    },
    {
      status: 204,
      headers: { 'access-control-allow-origin': [STAGING], 'access-control-allow-methods': ['GET'] },
    },
    {
      status: 204,
      headers: {
        'access-control-allow-origin': ['*'],
        'access-control-allow-methods': ['*'],
        'access-control-max-age': ['600'],
      },
    },
    { status: 204, headers: {} },
    { status: 403, headers: {} },
    { status: 404, headers: {} },
  ].map(
    (facts) =>
      ({
        exchanges: {
          preflight: { origin: STAGING, method: 'PUT', requestHeaders: 'content-type', ...facts },
        },
      }) as Sketch,
  ),
  'what other origins may read': [
    {},
    { 'access-control-allow-origin': ['*'] },
    { 'access-control-allow-origin': ['https://foreign.invalid'] },
    {
      'access-control-allow-origin': ['https://foreign.invalid'],
      'access-control-allow-credentials': ['true'],
    },
    { 'access-control-allow-origin': ['https://foreign.invalid'], vary: ['Origin'] },
    { 'access-control-allow-origin': ['null'] },
  ].map(
    (headers) =>
      ({
        exchanges: {
          origins: [
            { origin: STAGING, relation: 'own', status: 200, headers: {} },
            { origin: 'https://foreign.invalid', relation: 'foreign', status: 200, headers },
          ],
        },
      }) as Sketch,
  ),
  'robots.txt': [
    { status: 200, robots: { groups: [] } },
    { status: 200, robots: { groups: [{ agents: ['*'], allow: [], disallow: ['/'] }] } },
    { status: 200, robots: { groups: [{ agents: ['*'], allow: ['/page'], disallow: ['/pag'] }] } },
    { status: 200, robots: { groups: [{ agents: ['*'], allow: [], disallow: ['/other'] }] } },
    { status: 200, robots: { groups: [{ agents: ['otherbot'], allow: [], disallow: ['/'] }] } },
    { status: 404 },
    { status: 503 },
  ].map((robots) => ({ exchanges: { robots } }) as Sketch),
  'a conditional request': [304, 200, 412].map((status) => ({
    headers: { etag: '"a"' },
    exchanges: { conditional: { validator: 'etag', status } },
  })) as Sketch[],
  'plain http': [
    { status: 301, headers: { location: [`${SHOP}/page`] } },
    { status: 302, headers: { location: ['http://www.example.com/page'] } },
    { status: 200 },
    { status: 404 },
    { error: 'connect_error' },
  ].map(
    (facts) => ({ exchanges: { httpVariant: { url: 'http://www.example.com/page', ...facts } } }) as Sketch,
  ),
  'loaded files': [
    [],
    [['/a.js', 200]],
    [['/a.js', 404]],
    [
      ['/a.js', 200],
      ['/b.css', 500],
    ],
    [
      ['/a.js', 200],
      ['/b.css', 200],
    ],
  ].map((files) => ({
    html: {
      assets: [
        { kind: 'script', url: `${STAGING}/a.js` },
        { kind: 'style', url: `${STAGING}/b.css#x` },
      ],
    },
    more: {
      resources: files.map(([path, status]) => ({
        url: `${STAGING}${path}`,
        method: 'GET',
        status,
        kind: 'script',
      })),
    },
  })) as Sketch[],
  'a text that was cut': [
    blocks('Welcome', 'One two three.'),
    { body: { text: { blocks: ['Welcome'], cut: true } } },
    { body: { text: { blocks: ['Welcome', 'One two three.'], cut: true } } },
    { ...blocks('Welcome', 'One two three.'), html: { elements: 400 } },
    { status: 500, ...blocks('Welcome', 'One two three.') },
  ],
};

/** Several samples a side: what also differs between the samples of one side is noise. */
export const SAMPLED: Readonly<Record<string, readonly (readonly Sketch[])[]>> = {
  'samples that agree or not': [
    [{}, {}, {}],
    [{ headers: { 'x-version': '1' } }, { headers: { 'x-version': '2' } }, {}],
    [{ headers: { 'x-version': '1' } }, { headers: { 'x-version': '1' } }],
    [{}, { status: 503 }, {}],
    [{ status: 500 }, { status: 500 }, {}],
    [{}, { error: { code: 'timeout', message: 'no response in time' } }],
    [{ html: { title: 'A' } }, { html: { title: 'B' } }],
    [{ html: { title: 'A' } }, { html: { title: 'A' } }],
  ],
  'samples of times': [
    [100, 102, 98, 101, 99],
    [100, 100, 100, 100, 900],
    [150, 152, 148, 151, 149],
    [300, 302, 298, 301, 299],
    [130, 131],
  ].map((times) => times.map((durationMs) => ({ durationMs }))),
};
