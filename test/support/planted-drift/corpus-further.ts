/** Further planted drifts: effective policies, cookie attributes, parts of a page and kinds of assets. */
import type { IncomingMessage } from 'node:http';
import { type CorpusDrifts, changed, worse } from './corpus-case.js';
import { CSP, FINE, safe } from './corpus-pages.js';
import { type CannedResponse, json, page } from './drift-case.js';

const csp = (more: string) => safe({ 'content-security-policy': `${CSP}; ${more}` });
const cookie = (line: string) => safe({ 'set-cookie': line, 'cache-control': 'private' });
const inner = (body: string, head = '') => safe({}, page(body, head));
const typed = (type: string, body: string) => safe({ 'content-type': type }, { body });

export const HEADER_DRIFTS: CorpusDrifts = {
  'CSP with an additional source': worse('CSP_DRIFT', 'warn', [
    csp("img-src 'self' https://x.example"),
    csp("img-src 'self'"),
  ]),
  'CSP wider than its fallback': worse('CSP_DRIFT', 'warn', [csp('img-src *'), FINE]),
  'CSP that allows framing by anyone': worse('CSP_DRIFT', 'warn', [
    csp('frame-src *'),
    csp("frame-src 'self'"),
  ]),
  'CSP with unsafe-inline styles': worse('CSP_DRIFT', 'warn', [
    csp("style-src 'self' 'unsafe-inline'"),
    csp("style-src 'self'"),
  ]),
  'CSP with unsafe-inline script elements': worse('CSP_WEAKENED', 'critical', [
    csp("script-src-elem 'self' 'unsafe-inline'"),
    csp("script-src-elem 'self'"),
  ]),
  'CSP without form-action': worse('CSP_DRIFT', 'warn', [FINE, csp("form-action 'self'")]),
  'CSP without sandbox': worse('CSP_DRIFT', 'warn', [FINE, csp('sandbox')]),
  'CSP with a looser sandbox': worse('CSP_DRIFT', 'warn', [csp('sandbox allow-scripts'), csp('sandbox')]),
  'CSP without upgrades': worse('CSP_DRIFT', 'warn', [FINE, csp('upgrade-insecure-requests')]),
  'CSP without trusted types': worse('CSP_DRIFT', 'warn', [FINE, csp("require-trusted-types-for 'script'")]),
  'CSP of the page lost': worse('HTML_META_DRIFT', 'warn', [
    inner(''),
    inner('', '<meta http-equiv="Content-Security-Policy" content="img-src \'self\'">'),
  ]),
  'isolation that only reports': worse('CROSS_ORIGIN_POLICY_DRIFT', 'warn', [
    safe({ 'cross-origin-embedder-policy-report-only': 'require-corp' }),
    safe({ 'cross-origin-embedder-policy': 'require-corp' }),
  ]),
  'a resource for every origin': worse('CROSS_ORIGIN_POLICY_DRIFT', 'warn', [
    safe({ 'cross-origin-resource-policy': 'cross-origin' }),
    safe({ 'cross-origin-resource-policy': 'same-origin' }),
  ]),
  'a feature for another origin': worse('PERMISSIONS_POLICY_DRIFT', 'warn', [
    safe({ 'permissions-policy': 'geolocation=(self "https://x.example")' }),
    safe({ 'permissions-policy': 'geolocation=(self)' }),
  ]),
  'HSTS without preload': worse('HSTS_DRIFT', 'warn', [
    safe({ 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    FINE,
  ]),
  'a cookie without Partitioned': worse('COOKIE_FLAGS_DRIFT', 'warn', [
    cookie('w=1; Secure; HttpOnly; SameSite=None'),
    cookie('w=1; Secure; HttpOnly; SameSite=None; Partitioned'),
  ]),
  'a session cookie without SameSite': worse('COOKIE_FLAGS_DRIFT', 'critical', [
    cookie('sid=1; Secure; HttpOnly'),
    cookie('sid=1; Secure; HttpOnly; SameSite=Strict'),
  ]),
  'a cookie for every subdomain': worse('COOKIE_FLAGS_DRIFT', 'warn', [
    cookie('sid=1; Secure; HttpOnly; Domain=planted.test'),
    cookie('sid=1; Secure; HttpOnly'),
  ]),
  'a cookie for every path': worse('COOKIE_FLAGS_DRIFT', 'warn', [
    cookie('sid=1; Secure; HttpOnly; Path=/'),
    cookie('sid=1; Secure; HttpOnly; Path=/account'),
  ]),
  'a cookie that stays for a year': changed('COOKIE_FLAGS_DRIFT', 'info', [
    cookie('sid=1; Secure; HttpOnly; Max-Age=31536000'),
    cookie('sid=1; Secure; HttpOnly; Max-Age=3600'),
  ]),
  'CORS for the origin null': worse('CORS_HEADER_DRIFT', 'critical', [
    safe({ 'access-control-allow-origin': 'null', vary: 'Origin' }),
    safe({ 'access-control-allow-origin': 'https://a.example', vary: 'Origin' }),
  ]),
  'CORS with credentials': changed('CORS_HEADER_DRIFT', 'critical', [
    safe({
      'access-control-allow-origin': 'https://a.example',
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    }),
    safe({ 'access-control-allow-origin': 'https://a.example', vary: 'Origin' }),
  ]),
  'immutable lost': worse('CACHE_HEADER_DRIFT', 'warn', [
    safe({ 'cache-control': 'public, max-age=31536000' }),
    safe({ 'cache-control': 'public, max-age=31536000, immutable' }),
  ]),
  'stale-while-revalidate lost': worse('CACHE_HEADER_DRIFT', 'warn', [
    safe({ 'cache-control': 'public, max-age=60' }),
    safe({ 'cache-control': 'public, max-age=60, stale-while-revalidate=600' }),
  ]),
  's-maxage lost': worse('CACHE_TTL_DRIFT', 'warn', [
    safe({ 'cache-control': 'public, max-age=60' }),
    safe({ 'cache-control': 'public, max-age=60, s-maxage=86400' }),
  ]),
  'Last-Modified lost': worse('VALIDATOR_DRIFT', 'warn', [
    FINE,
    safe({ 'last-modified': 'Mon, 02 Nov 2026 10:00:00 GMT' }),
  ]),
  'HTTP/3 lost': worse('PROTOCOL_DRIFT', 'warn', [FINE, safe({ 'alt-svc': 'h3=":443"' })]),
  'a download instead of a page': changed('CONTENT_TYPE_DRIFT', 'warn', [
    safe({ 'content-disposition': 'attachment; filename=shop.html' }),
    FINE,
  ]),
  'nosnippet in a header': worse('INDEXABILITY_DRIFT', 'warn', [safe({ 'x-robots-tag': 'nosnippet' }), FINE]),
  'noindex for one crawler': worse('INDEXABILITY_DRIFT', 'critical', [
    safe({ 'x-robots-tag': 'googlebot: noindex' }),
    FINE,
  ]),
  'a profiler link': worse('INFO_EXPOSURE_DRIFT', 'critical', [
    safe({ 'x-debug-token-link': '/_profiler/abc' }),
    FINE,
  ]),
  'a redirect with another hop': worse('REDIRECT_CHAIN_CHANGED', 'warn', [
    ({ url }) => hop({ '/planted': '/middle', '/middle': '/end' }, url),
    ({ url }) => hop({ '/planted': '/end' }, url),
  ]),
};

function hop(table: Readonly<Record<string, string>>, url = ''): CannedResponse {
  const location = table[url];
  return location === undefined ? FINE : { status: 301, headers: { location } };
}

const products = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `Product ${id}`, price: id * 3 }));
const urlset = (count: number) =>
  typed(
    'application/xml',
    `<urlset>${Array.from({ length: count }, (_, n) => `<url><loc>/a${n}</loc></url>`).join('')}</urlset>`,
  );

export const DATA_DRIFTS: CorpusDrifts = {
  'a field that some elements lack': worse('JSON_SHAPE_DRIFT', 'warn', [
    json(products(6).map(({ price, ...rest }, at) => (at > 2 ? rest : { ...rest, price }))),
    json(products(6)),
  ]),
  'a field that all elements lack': worse('JSON_SHAPE_DRIFT', 'critical', [
    json({ items: products(6).map(({ id, name }) => ({ id, name })) }),
    json({ items: products(6) }),
  ]),
  'an object that became empty': worse('JSON_SHAPE_DRIFT', 'critical', [
    json({ settings: {} }),
    json({ settings: { a: 1, b: 2 } }),
  ]),
  'truncated JSON': worse('JSON_SHAPE_DRIFT', 'critical', [
    { ...json({}), body: '{"items":[1,' },
    json({ items: [1, 2] }),
  ]),
  'an error with status 200': worse('JSON_SHAPE_DRIFT', 'critical', [
    json({ error: 'no database' }),
    json({ data: { id: 1 } }),
  ]),
  'GraphQL errors': worse('JSON_SHAPE_DRIFT', 'critical', [
    json({ data: null, errors: [{ message: 'no database' }] }),
    json({ data: { user: { id: 1 } } }),
  ]),
  'a list inside a list that became empty': worse('JSON_ARRAY_EMPTIED', 'warn', [
    json({ data: { user: { roles: [] } } }),
    json({ data: { user: { roles: ['a', 'b'] } } }),
  ]),
  'one element fewer': worse('JSON_LIST_SHRUNK', 'info', [
    json({ items: products(9) }),
    json({ items: products(10) }),
  ]),
  'most URLs of a sitemap': worse('TEXT_LOST', 'critical', [urlset(2), urlset(30)]),
  'most lines of a script': worse('TEXT_LOST', 'critical', [
    typed('text/javascript', 'var a=1;'),
    typed('text/javascript', `var a=1;${'console.log(1);'.repeat(300)}`),
  ]),
  'a paragraph in a script without spaces': worse('TEXT_LOST', 'warn', [
    inner('<p>東京都の天気は晴れです。</p><p>明日は雨が降るでしょう。気温は十五度です。</p>'),
    inner(
      '<p>東京都の天気は晴れです。</p><p>明日は雨が降るでしょう。気温は十五度です。</p><p>週末は雪になる見込みです。</p>',
    ),
  ]),
};

/** `gone` returns 404, or the given replacement. */
const loading =
  (markup: readonly [body: string, head?: string], gone = '', instead: CannedResponse = { status: 404 }) =>
  ({ url }: IncomingMessage): CannedResponse => {
    if (url === '/planted') return inner(...markup);
    if (url === gone) return instead;
    return { body: 'x', headers: { 'content-type': url?.endsWith('.css') ? 'text/css' : 'application/x' } };
  };
const lost = (markup: readonly [body: string, head?: string], gone: string, instead?: CannedResponse) =>
  worse('ASSET_BROKEN', 'critical', [loading(markup, gone, instead), loading(markup)]);
const STYLED = ['', '<link rel="stylesheet" href="/a.css">'] as const;
const form = (action: string, fields: string, method = 'post') =>
  inner(`<form action="${action}" method="${method}">${fields}</form>`);
const links = (count: number) =>
  inner(
    `<p>${'Everything that a plumb line needs. '.repeat(20)}</p>${Array.from({ length: count }, (_, n) => `<a href="/l${n}"></a>`).join('')}`,
  );
const images = (count: number) =>
  Array.from({ length: count }, (_, n) => `<img src="/i${n}.png" alt="">`).join('');

export const PAGE_DRIFTS: CorpusDrifts = {
  'a candidate of a srcset': lost(['<img src="/a.png" srcset="/a2.png 2x" alt="">'], '/a2.png'),
  'a source of a picture': lost(
    ['<picture><source srcset="/a.webp"><img src="/a.png" alt=""></picture>'],
    '/a.webp',
  ),
  'a background image': lost(['<div style="background:url(/bg.png)"></div>'], '/bg.png'),
  'a font of the page': lost(
    ['', '<style>@font-face{font-family:a;src:url("/a.woff2")}</style>'],
    '/a.woff2',
  ),
  'a poster': lost(['<video poster="/p.jpg"></video>'], '/p.jpg'),
  'a video': lost(['<video src="/v.mp4"></video>'], '/v.mp4'),
  'a frame': lost(['<iframe src="/w" title="w"></iframe>'], '/w'),
  'a preloaded module': lost(['', '<link rel="modulepreload" href="/m.js">'], '/m.js'),
  'an icon': lost(['', '<link rel="icon" href="/f.ico">'], '/f.ico'),
  'a page instead of a stylesheet': lost(STYLED, '/a.css', page()),
  'a stylesheet of another type': lost(STYLED, '/a.css', {
    body: 'a{}',
    headers: { 'content-type': 'text/plain' },
  }),
  'a page instead of a script': lost(['', '<script src="/a.js"></script>'], '/a.js', page()),
  'a meta refresh': worse('HTML_META_DRIFT', 'warn', [
    inner('', '<meta http-equiv="refresh" content="0;url=/elsewhere">'),
    inner(''),
  ]),
  'another base': changed('HTML_META_DRIFT', 'warn', [inner('', '<base href="/v2/">'), inner('')]),
  'no structured data': worse('HTML_META_DRIFT', 'warn', [
    inner(''),
    inner('', '<script type="application/ld+json">{"@type":"Product","name":"x"}</script>'),
  ]),
  'no language alternates': worse('HTML_META_DRIFT', 'warn', [
    inner(''),
    inner('', '<link rel="alternate" hreflang="de" href="/de">'),
  ]),
  'a canonical elsewhere': changed('HTML_META_DRIFT', 'warn', [
    inner('', '<link rel="canonical" href="https://other.example/x">'),
    inner('', '<link rel="canonical" href="/planted">'),
  ]),
  'nofollow in the page': worse('INDEXABILITY_DRIFT', 'warn', [
    inner('', '<meta name="robots" content="nofollow">'),
    inner(''),
  ]),
  'a form that is sent elsewhere': changed('HTML_STRUCTURE_DRIFT', 'warn', [
    form('https://other.example/s', '<input name="card">'),
    form('/s', '<input name="card">'),
  ]),
  'a password in the URL': changed('HTML_STRUCTURE_DRIFT', 'warn', [
    form('/s', '<input name="secret" type="password">', 'get'),
    form('/s', '<input name="secret" type="password">'),
  ]),
  'a field of a form': worse('HTML_STRUCTURE_DRIFT', 'warn', [
    form('/s', '<input name="a">'),
    form('/s', '<input name="a"><input name="b">'),
  ]),
  'the links of a page': worse('HTML_STRUCTURE_DRIFT', 'warn', [links(2), links(12)]),
  'the images of a page': worse('HTML_STRUCTURE_DRIFT', 'warn', [loading(['']), loading([images(12)])], {}),
  'one link': changed('HTML_STRUCTURE_DRIFT', 'info', [
    inner('<a href="/old">Buy</a>'),
    inner('<a href="/buy">Buy</a>'),
  ]),
  'a PHP error in the page': worse('INFO_EXPOSURE_DRIFT', 'critical', [
    inner('<b>Warning</b>: Undefined variable $x in <b>/var/www/a.php</b> on line <b>3</b>'),
    inner(''),
  ]),
  'a frame of another site': worse('THIRD_PARTY_DRIFT', 'warn', [
    inner('<iframe src="https://ads.example/x" title="ad"></iframe>'),
    inner(''),
  ]),
};
