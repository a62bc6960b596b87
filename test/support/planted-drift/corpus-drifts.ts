/** Planted drifts in routing, caching and content, one at a time. */
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type CorpusDrifts, changed, worse } from './corpus-case.js';
import { FINE, safe } from './corpus-pages.js';
import { type CannedResponse, json, page, RIGHT_HOST } from './drift-case.js';

const redirect = (location: string, status = 302): CannedResponse => ({ status, headers: { location } });
const redirecting =
  (to: string, status = 302) =>
  (request: IncomingMessage): CannedResponse =>
    request.url?.includes('/to-') ? FINE : redirect(to, status);

export const ROUTING_DRIFTS: CorpusDrifts = {
  'a robots.txt that closes the site': worse('INDEXABILITY_DRIFT', 'critical', [FINE, FINE], {
    robots: { left: 'User-agent: *\nDisallow: /\n', right: 'User-agent: *\nDisallow:\n' },
  }),
  'a 500 without any header': worse('STATUS_MISMATCH', 'critical', [{ status: 500 }, FINE]),
  'a 503 page': worse('STATUS_MISMATCH', 'critical', [{ ...FINE, status: 503 }, FINE]),
  'a missing page': worse('STATUS_MISMATCH', 'critical', [
    { status: 404, body: 'no', headers: { 'content-type': 'text/plain' } },
    FINE,
  ]),
  'a 500 instead of a 404': worse('STATUS_MISMATCH', 'critical', [{ status: 500 }, { status: 404 }]),
  '204 instead of 200': changed('STATUS_MISMATCH', 'warn', [{ ...FINE, status: 206 }, FINE]),
  'a login on one side only': changed('AUTH_GATE_DRIFT', 'critical', [
    { status: 401, headers: { 'www-authenticate': 'Basic realm="staging"' } },
    FINE,
  ]),
  'a 403': changed('AUTH_GATE_DRIFT', 'critical', [{ status: 403 }, FINE]),
  'a redirect to a login page': changed('AUTH_GATE_DRIFT', 'critical', [
    (request) => (request.url?.startsWith('/login') ? FINE : redirect('/login')),
    FINE,
  ]),
  'a weaker login scheme': worse(
    'AUTH_SCHEME_DRIFT',
    'warn',
    [
      { status: 401, headers: { 'www-authenticate': 'Basic realm="api"' } },
      { status: 401, headers: { 'www-authenticate': 'Bearer realm="api"' } },
    ],
    { expected: { severity: 'warn', exit: 0 }, mirrored: { severity: 'info', exit: 0 } },
  ),
  'a redirect that ends elsewhere': changed('REDIRECT_CHAIN_CHANGED', 'critical', [
    redirecting('/to-welcome'),
    redirecting('/to-en'),
  ]),
  'a redirect where there was none': changed('REDIRECT_CHAIN_CHANGED', 'critical', [
    redirecting('/to-new'),
    FINE,
  ]),
  '301 instead of 302': changed('REDIRECT_STATUS_DRIFT', 'warn', [
    redirecting('/to-en', 301),
    redirecting('/to-en', 302),
  ]),
  'a redirect loop': worse('REDIRECT_LOOP', 'critical', [(request) => redirect(request.url ?? '/'), FINE], {
    mirrored: { severity: 'info', exit: 3 },
  }),
  'a dead side': changed('PROBE_FAILURE', 'critical', [{ drop: true }, FINE], {
    expected: { severity: 'critical', exit: 3 },
    mirrored: { severity: 'critical', exit: 3 },
  }),
  'http without a redirect': worse('HTTPS_ENFORCEMENT_DRIFT', 'critical', [FINE, FINE], {
    worseSide: 'right',
    http: { right: FINE },
  }),
  'noindex in a header': worse('INDEXABILITY_DRIFT', 'critical', [safe({ 'x-robots-tag': 'noindex' }), FINE]),
  'noindex in the page': worse('INDEXABILITY_DRIFT', 'critical', [
    safe({}, page('', '<meta name="robots" content="noindex">')),
    FINE,
  ]),
  'unsupported HEAD': worse('METHOD_SUPPORT_DRIFT', 'warn', [
    ({ method }) => (method === 'HEAD' ? { status: 405 } : FINE),
    FINE,
  ]),
  'the other host in a header': worse('CROSS_ENV_LEAK', 'critical', [
    safe({ link: `<https://${RIGHT_HOST}/app.css>; rel=preload` }),
    safe({ link: `<https://${RIGHT_HOST}/app.css>; rel=preload` }),
  ]),
  'the other host in a link': worse('CROSS_ENV_LEAK', 'warn', [
    safe({}, page(`<a href="https://${RIGHT_HOST}/a">a</a>`)),
    safe({}, page(`<a href="https://${RIGHT_HOST}/a">a</a>`)),
  ]),
  'the other host in a JSON value': worse('CROSS_ENV_LEAK', 'warn', [
    json({ self: `https://${RIGHT_HOST}/a` }),
    json({ self: `https://${RIGHT_HOST}/a` }),
  ]),
  'a rate-limited response': changed('PROBE_BLOCKED', 'warn', [{ status: 429 }, FINE], {
    expected: { severity: 'warn', exit: 3 },
    mirrored: { severity: 'warn', exit: 3 },
  }),
};

const cache = (value: string | undefined) => safe({ 'cache-control': value });
const LONG = `<p>${'Everything that a plumb line needs. '.repeat(60)}</p>`;

export const CACHE_DRIFTS: CorpusDrifts = {
  'private lost': worse('CACHE_SCOPE_DRIFT', 'critical', [
    cache('public, max-age=600'),
    cache('private, max-age=600'),
  ]),
  'no-store lost': worse('CACHE_SCOPE_DRIFT', 'critical', [cache('max-age=600'), cache('no-store')]),
  'caching switched off': worse('CACHE_TTL_DRIFT', 'warn', [
    cache('public, max-age=0'),
    cache('public, max-age=600'),
  ]),
  'a tenth of the lifetime': worse('CACHE_TTL_DRIFT', 'warn', [
    cache('public, max-age=60'),
    cache('public, max-age=86400'),
  ]),
  'Cache-Control lost': worse('CACHE_HEADER_DRIFT', 'warn', [cache(undefined), cache('public, max-age=600')]),
  'must-revalidate lost': worse('CACHE_HEADER_DRIFT', 'warn', [
    cache('public, max-age=600'),
    cache('public, max-age=600, must-revalidate'),
  ]),
  'a cookie that caches store': worse('CACHEABLE_COOKIE', 'critical', [
    safe({ 'set-cookie': 'sid=1; Secure; HttpOnly; SameSite=Lax' }),
    safe({ 'set-cookie': 'sid=1; Secure; HttpOnly; SameSite=Lax', 'cache-control': 'private' }),
  ]),
  'no validators': worse('VALIDATOR_DRIFT', 'warn', [FINE, safe({ etag: '"abc"' })]),
  'Vary lost': worse('VARY_DRIFT', 'warn', [safe({ vary: undefined }), FINE]),
  'Vary: *': worse('VARY_DRIFT', 'critical', [safe({ vary: '*' }), FINE]),
  'a cache that never hits': worse('CACHE_STATUS_DRIFT', 'warn', [
    safe({ 'cf-cache-status': 'MISS' }),
    safe({ 'cf-cache-status': 'HIT' }),
  ]),
  'no compression': worse('CONTENT_ENCODING_DRIFT', 'warn', [
    safe({}, page(LONG)),
    safe({ 'content-encoding': 'gzip' }, { ...page(LONG), body: gzipSync(String(page(LONG).body)) }),
  ]),
  'a lower rate limit': worse('RATE_LIMIT_DRIFT', 'warn', [
    safe({ 'x-ratelimit-limit': '60' }),
    safe({ 'x-ratelimit-limit': '1000' }),
  ]),
  'another CDN': changed('EDGE_PATH_DRIFT', 'warn', [safe({ via: '1.1 abc.cloudfront.net' }), FINE]),
};

const TYPES: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript', png: 'image/png' };
const typeOf = (url: string) => TYPES[url.slice(url.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
const scripted =
  (src: string) =>
  ({ url }: IncomingMessage): CannedResponse =>
    url === '/planted'
      ? safe({}, page(`<script src="${src}"></script>`))
      : { body: 'x', headers: { 'content-type': 'text/javascript' } };
const asset =
  (broken: string) =>
  (request: IncomingMessage): CannedResponse =>
    request.url === broken
      ? { status: 404, body: 'Not Found', headers: { 'content-type': 'text/plain' } }
      : request.url === '/planted'
        ? safe(
            {},
            page(
              '<img src="/logo.png" alt="">',
              '<link rel="stylesheet" href="/app.css"><script src="/app.js"></script><link rel="preload" as="font" href="/a.woff2" crossorigin>',
            ),
          )
        : { body: 'x', headers: { 'content-type': typeOf(request.url ?? '') } };
const ASSETS = asset('');
const WORDS = Array.from(
  { length: 11 },
  (_, n) =>
    `<h2>Chapter ${n}</h2><p>${`Chapter ${n} explains what buoys number ${n} report. `.repeat(22)}</p>`,
);
const chapters = (count: number) => safe({}, page(WORDS.slice(0, count).join('')));
const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `Item ${id}` }));
const named = (title: string, more = '') =>
  safe({}, page(more, `<meta name="description" content="${title}">`));

export const CONTENT_DRIFTS: CorpusDrifts = {
  'a missing stylesheet': worse('ASSET_BROKEN', 'critical', [asset('/app.css'), ASSETS]),
  'a missing script': worse('ASSET_BROKEN', 'critical', [asset('/app.js'), ASSETS]),
  'a missing image': worse('ASSET_BROKEN', 'critical', [asset('/logo.png'), ASSETS]),
  'a missing font': worse('ASSET_BROKEN', 'critical', [asset('/a.woff2'), ASSETS]),
  'an array that became empty': worse('JSON_ARRAY_EMPTIED', 'warn', [
    json({ items: [], note: 'x'.repeat(300) }),
    json({ items: items(2), note: 'x'.repeat(300) }),
  ]),
  'a whole list that became empty': worse('JSON_ARRAY_EMPTIED', 'critical', [json([]), json(items(20))]),
  'a list that lost most of its items': worse('JSON_LIST_SHRUNK', 'warn', [
    json({ items: items(4), note: 'x'.repeat(900) }),
    json({ items: items(10), note: 'x'.repeat(900) }),
  ]),
  'a missing JSON field': worse('JSON_SHAPE_DRIFT', 'critical', [json({ a: 1 }), json({ a: 1, b: 2 })]),
  'a renamed JSON field': changed('JSON_SHAPE_DRIFT', 'critical', [
    json({ user: { mail: 'a' } }),
    json({ user: { email: 'a' } }),
  ]),
  'a number that became a string': changed('JSON_SHAPE_DRIFT', 'critical', [
    json({ price: '19' }),
    json({ price: 19 }),
  ]),
  'a value that became null': worse('JSON_SHAPE_DRIFT', 'warn', [json({ name: null }), json({ name: 'a' })]),
  'a JSON value': changed('JSON_VALUE_DRIFT', 'info', [json({ on: true }), json({ on: false })]),
  'three of eleven chapters': worse('TEXT_LOST', 'warn', [chapters(8), chapters(11)]),
  'most of the text': worse('TEXT_LOST', 'critical', [chapters(2), chapters(11)]),
  'headings without their text': worse('HEADINGS_LOST', 'warn', [
    safe({}, page('<div>One</div><div>Two</div><div>Three</div>')),
    safe({}, page('<h2>One</h2><h2>Two</h2><h2>Three</h2>')),
  ]),
  'one changed sentence': changed('TEXT_DRIFT', 'info', [
    safe({}, page(`${WORDS[0]}<p>The free plan allows two projects.</p>`)),
    safe({}, page(`${WORDS[0]}<p>The free plan allows three projects.</p>`)),
  ]),
  'one line of a plain text': changed('TEXT_DRIFT', 'info', [
    { body: 'one\ntwo\nthree', headers: { 'content-type': 'text/plain' } },
    { body: 'one\n2\nthree', headers: { 'content-type': 'text/plain' } },
  ]),
  'no navigation': worse('HTML_STRUCTURE_DRIFT', 'warn', [FINE, safe({}, page('<nav></nav>'))]),
  'no search form': worse('HTML_STRUCTURE_DRIFT', 'warn', [
    FINE,
    safe({}, page('<form action="/s"><input name="q"></form>')),
  ]),
  'no description': worse('HTML_META_DRIFT', 'warn', [FINE, named('A shop')]),
  'another description': changed('HTML_META_DRIFT', 'warn', [named('A shop'), named('The shop')]),
  'HTML instead of JSON': changed('CONTENT_TYPE_DRIFT', 'critical', [page(), json({ a: 1 })]),
  'a missing charset': worse('CHARSET_DRIFT', 'warn', [safe({ 'content-type': 'text/html' }), FINE]),
  'another language': changed('CONTENT_LANGUAGE_DRIFT', 'warn', [
    safe({ 'content-language': 'de' }),
    safe({ 'content-language': 'en' }),
  ]),
  'a default page': worse('ERROR_PAGE_DRIFT', 'warn', [
    safe(
      {},
      { ...page(), body: '<!doctype html><title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>' },
    ),
    FINE,
  ]),
  'a smaller file': worse(
    'CONTENT_LENGTH_DRIFT',
    'critical',
    [
      { body: Buffer.alloc(300, 1), headers: { 'content-type': 'application/zip' } },
      { body: Buffer.alloc(9000, 1), headers: { 'content-type': 'application/zip' } },
    ],
    { mirrored: { severity: 'info', exit: 0, strictExit: 1 } },
  ),
  'another build': changed('BUILD_VERSION_DRIFT', 'info', [
    safe({ 'x-version': '2' }),
    safe({ 'x-version': '1' }),
  ]),
  'another script': changed('ASSET_SET_DRIFT', 'info', [scripted('/a.js'), scripted('/b.js')]),
  'an unclassified header': changed('UNKNOWN_DRIFT', 'info', [safe({ 'x-feature-set': 'a' }), FINE]),
};
