/** More families of sketches: what a page or another body contains. */
import type { HtmlAsset, HtmlForm, ResourceFacts } from '../../src/probe/index.js';
import { jsonEntries, type Sketch } from './make-envelope.js';
import { blocks, headings, html, marked } from './sketches.js';

/** Each side's own host is put in its place. */
const OWN = 'https://{ownHost}';
const SHOP = 'https://www.example.com';
/** A run of distinct words, from the given one on. */
const words = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => word(from + at)).join(' ');
const word = (at: number) =>
  [...String(at)]
    .map((digit) => 'bcdfghklmn'.charAt(Number(digit)))
    .join('a')
    .concat('a');
const form = (target: string | undefined, fields: readonly string[], method = 'post'): HtmlForm => ({
  method,
  fields,
  hasPassword: false,
  ...(target !== undefined && { action: target }),
});
const forms = (...all: HtmlForm[]): Sketch => html({ forms: all });
const links = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `${OWN}/page-${word(from + at)}`);
const asset = (kind: HtmlAsset['kind'], url: string, integrity?: string): Sketch =>
  html({ assets: [{ kind, url, ...(integrity !== undefined && { integrity }) }] });
const images = (count: number): Sketch =>
  html({ assets: links(count).map((url) => ({ kind: 'image', url: `${url}.png` })) });
const resource = (kind: ResourceFacts['kind'], facts: Partial<ResourceFacts>): Sketch => ({
  more: { resources: [{ url: `${OWN}/a`, method: 'GET', kind, ...facts }] },
});
const naming = (origin: string, count = 1): Sketch => ({ body: { origins: [{ origin, count }] } });
const data = (facts: object): Sketch =>
  ({
    headers: { 'content-type': 'application/octet-stream' },
    body: { html: undefined, kind: 'binary', ...facts },
  }) as unknown as Sketch;
const brokenJson: Sketch = {
  headers: { 'content-type': 'application/json' },
  body: { html: undefined, kind: 'json' },
} as unknown as Sketch;
const list = (length: number, chars = 4_000): Sketch => ({
  json: { items: Array.from({ length }, (_, at) => at) },
  body: { normalizedChars: chars },
});
const cutJson = (json: unknown, more: object = {}): Sketch => ({
  json,
  body: { json: { entries: jsonEntries(json), truncated: true }, ...more },
});

export const PAGE_MATRICES: Readonly<Record<string, readonly Sketch[]>> = {
  'the metadata of a page': [
    {},
    html({ description: 'A shop' }),
    html({ viewport: 'width=device-width' }),
    html({ base: `${OWN}/` }),
    html({ base: `${OWN}/app/` }),
    html({ metas: [{ name: 'og:title', content: 'Shop' }] }),
    html({ metas: [{ name: 'og:image', content: `${OWN}/a.png` }] }),
    html({ metas: [{ name: 'author', content: 'Ann' }] }),
    html({ httpEquiv: [{ name: 'refresh', content: '5' }] }),
    html({ httpEquiv: [{ name: 'content-security-policy', content: "default-src 'self'" }] }),
    html({ httpEquiv: [{ name: 'x-ua-compatible', content: 'IE=edge' }] }),
    html({ alternates: [{ hreflang: 'de', href: `${OWN}/de` }] }),
    html({ structuredData: ['Product', 'Offer'] }),
  ],
  'the version of a page': [
    {},
    html({ generator: 'Hugo 0.1' }),
    html({ generator: 'Hugo 0.2' }),
    html({ metas: [{ name: 'app-version', content: '1' }] }),
    html({ metas: [{ name: 'Version', content: '2' }] }),
    html({ metas: [{ name: 'conversion', content: '3' }] }),
  ],
  forms: [
    {},
    forms(form(`${OWN}/send`, ['text:a', 'text:b'])),
    forms(form(`${OWN}/send?x=1#y`, ['text:b', 'text:a'], 'POST')),
    forms(form(`${OWN}/send`, ['text:a'])),
    forms(form(`${OWN}/other`, ['text:a', 'text:b'])),
    forms(form('https://forms.example/send', ['text:a', 'text:b'])),
    forms(form(undefined, ['text:a', 'text:b'])),
    forms(form(`${OWN}/send`, []), form(`${OWN}/find`, [], 'get')),
    forms(form(`${OWN}/send`, ['text:a', 'text:b']), form(`${OWN}/send`, ['text:c'])),
    html({ landmarks: { main: 1, nav: 1, form: 1 } }),
  ],
  'the links of a page': [
    html({ links: links(20) }),
    html({ links: links(18) }),
    html({ links: links(17) }),
    html({ links: links(16) }),
    html({ links: links(16, 1) }),
    html({ links: links(3) }),
    html({ links: links(2) }),
    html({ links: [] }),
    html({ links: links(16), truncated: true }),
    html({ links: [`${OWN}/?a=1`, `${OWN}/?b=2`, 'https://other.example/a'] }),
  ],
  'the images of a page': [
    images(10),
    images(8),
    images(7),
    asset('image', 'https://img.example/a.0f9ac2d1.png'),
    asset('image', 'https://img.example/a.b71e0042.png'),
    {},
  ],
  headings: [
    headings('1 Shop', '2 A', '2 B', '2 C', '2 D', '2 E'),
    headings('1 Shop', '2 A', '2 B', '2 C', '2 D'),
    headings('1 Shop', '2 A', '2 B', '2 C', '2 Z'),
    headings('1 Shop', '2 A', '2 B', '2 C'),
    headings('1 Shop', '2 A', '2 A', '2 A', '2 A', '2 A'),
    headings('2 Shop', '2 A', '2 B', '2 C', '2 D', '2 E'),
    headings('1 Shop'),
    headings(),
  ],
  'words of a long text': [
    blocks(words(200), words(25, 200), words(200, 300)),
    blocks(words(200), words(1, 200), words(200, 300)),
    blocks(words(200), words(200, 300)),
    blocks(words(197), words(25, 200), words(198, 300)),
    blocks(words(170), words(25, 200), words(200, 300)),
    blocks(words(170)),
    blocks(words(169)),
  ],
  'words of a short text': [
    blocks(words(40), words(20, 100)),
    blocks(words(40), words(15, 100)),
    blocks(words(40), words(14, 100)),
    blocks(words(37), words(17, 100)),
    blocks(words(38), words(14, 100)),
    blocks(words(20, 100), words(40)),
    blocks('一二三四五六七八', words(20, 100)),
  ],
  'origins in a page': [
    {},
    naming(OWN),
    naming(SHOP),
    { ...naming(SHOP), html: { canonical: `${SHOP}/page` } },
    { ...naming(SHOP, 2), html: { canonical: `${SHOP}/page` } },
    naming('https://cdn.other.example'),
  ],
  'hosts of the other side': [
    {},
    { headers: { link: `<${SHOP}/a>; rel=next` } },
    { headers: { link: [`<${OWN}/a>; rel=next`, `<${SHOP}/b>; rel=prev`] } },
    { headers: { 'content-security-policy': `img-src ${SHOP}` } },
    { cookies: [{ name: 'theme', domain: 'www.example.com' }] },
    { json: { url: `${SHOP}/a`, name: 'x' } },
    { json: { name: 'x', url: `${OWN}/a` } },
    { json: { url: `${OWN}/a`, name: 'x' } },
  ],
  'signs of a fault': [
    {},
    marked('stack-trace', 'java'),
    marked('debug-page', 'django'),
    marked('directory-listing', 'nginx'),
    marked('source-map', 'comment'),
    marked('framework-error', 'rails'),
    marked('maintenance', 'english'),
    marked('default-page', 'nginx'),
    marked('not-found-text', 'english'),
    { status: 404, ...marked('not-found-text', 'english') },
    marked('login', 'form'),
    { headers: { sourcemap: '/a.map' } },
    { headers: { 'x-powered-by': 'PHP/8.1' } },
    { headers: { 'x-powered-by': 'PHP' } },
  ],
  'files over http': [
    {},
    asset('font', 'http://cdn.example.net/a.woff2'),
    asset('frame', 'http://cdn.example.net/'),
    asset('object', 'HTTP://cdn.example.net/a'),
    asset('media', 'http://cdn.example.net/a.mp4'),
    asset('image', 'http://cdn.example.net/a.png'),
    asset('image', 'data:image/png;base64,AA'),
    { finalUrl: 'http://staging.example.com/page', ...asset('style', 'http://cdn.example.net/a.css') },
  ],
  'the integrity of files': [
    asset('style', `${OWN}/a.css`),
    asset('style', `${OWN}/a.css`, 'sha384-a'),
    asset('style', `${OWN}/a.css`, 'sha384-b'),
    asset('image', `${OWN}/a.css`, 'sha384-a'),
    asset('script', `${OWN}/a.css`),
  ],
  'whether files load': [
    resource('style', { status: 200, contentType: 'text/css; charset=utf-8' }),
    resource('style', { status: 200, contentType: 'text/html' }),
    resource('style', { status: 200 }),
    resource('script', { status: 200, contentType: 'text/html; charset=utf-8' }),
    resource('script', { status: 200, contentType: 'text/plain' }),
    resource('font', { status: 200, contentType: 'text/html' }),
    resource('image', { status: 200, contentType: 'text/html' }),
    resource('document', { status: 200, contentType: 'text/html' }),
    resource('script', { status: 399 }),
    resource('script', { status: 400 }),
    resource('script', { error: 'blocked by the browser' }),
    resource('script', {}),
  ],
  'kinds of bodies': [
    {},
    { body: { sha256: '3'.repeat(64), normalizedSha256: '4'.repeat(64) } },
    data({}),
    data({ sha256: '3'.repeat(64), normalizedSha256: undefined }),
    { status: 201, ...data({ sha256: '5'.repeat(64), normalizedSha256: undefined }) },
    data({ kind: 'text', normalizedSha256: '4'.repeat(64) }),
    data({ kind: 'empty', bytes: 0, sha256: '6'.repeat(64), normalizedSha256: undefined }),
    data({ truncated: true, bytes: 9_000 }),
    data({ bytes: 1_000, error: { code: 'body_error', message: 'ended early' } }),
  ],
  'the size of a page': [
    { body: { normalizedChars: 4_000 } },
    { body: { normalizedChars: 3_000 } },
    { body: { normalizedChars: 2_999, sha256: '3'.repeat(64) } },
    { body: { normalizedChars: 1_500, text: { blocks: ['Welcome'], cut: false } } },
    { body: { normalizedChars: 4_001, text: { blocks: ['Welcome'], cut: false } } },
    { body: { normalizedChars: 500, text: { blocks: ['Welcome'], cut: true } } },
    { body: { normalizedChars: 400, text: { blocks: [], cut: false } } },
    { status: 404, body: { normalizedChars: 300 } },
  ],
  'JSON that does not parse': [
    { json: { a: 1 } },
    brokenJson,
    { ...brokenJson, body: { ...brokenJson.body, truncated: true } },
    { ...brokenJson, status: 500 },
    {},
    data({}),
  ],
  'JSON lists': [
    list(10),
    list(9),
    list(5),
    list(4),
    list(4, 1_500),
    list(0),
    list(0, 1_599),
    list(2),
    list(1),
    { json: { items: [[1, 2], [3]] } },
    { json: { items: [[1], [3], [4]] } },
    { json: [] },
    { json: [1] },
  ],
  'JSON that was cut': [
    { json: { a: 1, b: [1, 2], c: 'x' } },
    cutJson({ a: 1, b: [1, 2] }),
    cutJson({ a: 1, text: 'x'.repeat(80) }, { truncated: true }),
    cutJson(Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`k${at}`, at]))),
    { json: { c: 'y…', b: [1, 2], a: 1 } },
    { json: { c: '[REDACTED]', b: [1, 2], a: 1 } },
  ],
  'JSON fields of elements': [
    {
      json: {
        items: [
          { id: 1, tag: 'a' },
          { id: 2, tag: 'b' },
        ],
      },
    },
    { json: { items: [{ id: 1, tag: 'a' }, { id: 2 }] } },
    { json: { items: [{ id: 1 }, { id: 2 }] } },
    {
      json: {
        items: [
          { id: 1, tag: null },
          { id: 2, tag: 'b' },
        ],
      },
    },
    {
      json: {
        items: [
          { tag: 'a', id: 1 },
          { id: 2, tag: 'b' },
        ],
      },
    },
    {
      json: {
        items: [
          { id: 1, tag: 'a' },
          { id: 2, tag: 'b' },
        ],
        error: 'none',
      },
    },
    {
      json: {
        items: [
          { id: 1, tag: 'a' },
          { id: 2, tag: 'b' },
        ],
        nested: { error: 'none' },
      },
    },
    { json: { items: [] } },
    { json: { items: null } },
  ],
};
