/** Pairs that are equal in everything that matters: written differently, volatile, or equally bad on both sides. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { CLEAN_PAIRS } from './clean-pair.js';
import {
  type CannedResponse,
  type DriftCase,
  json,
  page,
  type Responder,
  withHeaders,
} from './drift-case.js';

type EqualPair = Pick<DriftCase, 'left' | 'right' | 'at' | 'http' | 'samples'>;

const both = (response: Responder): EqualPair => ({ left: response, right: response });
const own = (request: IncomingMessage) => `https://${request.headers.host}`;
const text = (body: string): CannedResponse => ({ body, headers: { 'content-type': 'text/plain' } });
const headers = (left: Record<string, string>, right: Record<string, string>): EqualPair => ({
  left: withHeaders(left),
  right: withHeaders(right),
});
const LONG = `<p>${'Everything that a plumb line needs. '.repeat(80)}</p>`;
const zipped = (level: number): CannedResponse => ({
  ...page(LONG),
  headers: { ...page().headers, 'content-encoding': 'gzip' },
  body: gzipSync(String(page(LONG).body), { level }),
});

const WRITTEN_DIFFERENTLY: Readonly<Record<string, EqualPair>> = {
  'CSP in another order': headers(
    { 'content-security-policy': "default-src 'self'; object-src 'none'" },
    { 'content-security-policy': "object-src 'none';default-src 'self'" },
  ),
  'HSTS in another case': headers(
    { 'strict-transport-security': 'max-age=31536000; includeSubDomains' },
    { 'strict-transport-security': 'includesubdomains; MAX-AGE=31536000' },
  ),
  'Cache-Control in another order': headers(
    { 'cache-control': 'public, max-age=60' },
    { 'cache-control': 'MAX-AGE=60,public' },
  ),
  'Vary in another order': headers({ vary: 'Origin, Accept-Encoding' }, { vary: 'accept-encoding,origin' }),
  'Permissions-Policy in another order': headers(
    { 'permissions-policy': 'camera=(), geolocation=(self)' },
    { 'permissions-policy': 'geolocation=(self),camera=()' },
  ),
  'JSON in another order': { left: json({ a: 1, b: [1, 2] }), right: json({ b: [1, 2], a: 1 }) },
  'JSON with other whitespace': {
    left: json({ a: 1, b: [1, 2] }),
    right: { ...json({}), body: '{ "a": 1,\n  "b": [ 1, 2 ] }' },
  },
  'HTML with other whitespace': {
    left: page('<p>one two</p><p>three</p>'),
    right: page('\n  <p>one\n two</p>\n\n  <p>three</p>\n'),
  },
  'another gzip level': { left: zipped(1), right: zipped(9) },
  'assets with other build hashes': {
    left: page(
      '',
      '<script src="/app.3f9ac2d1.js"></script><link rel="stylesheet" href="/app.11aa22bb.css">',
    ),
    right: page(
      '',
      '<script src="/app.b71e0042.js"></script><link rel="stylesheet" href="/app.33cc44dd.css">',
    ),
  },
  'JSON with other escapes': {
    left: { ...json({}), body: '{"a":"\\u00e9","n":1.0}' },
    right: { ...json({}), body: '{"a":"é","n":1}' },
  },
  'JSON with a byte order mark': { left: { ...json({}), body: '\ufeff{"a":1}' }, right: json({ a: 1 }) },
  'another line end': { left: text('one\r\ntwo\r\n'), right: text('one\ntwo\n') },
  'attributes in another order': {
    left: page('<input name="q" type="text" required>'),
    right: page("<input required type='text' name='q'>"),
  },
  'HTML without implied tags': {
    left: page(LONG),
    right: {
      ...page(),
      body: `<!doctype html><html lang=en><title>Shop</title><body><main><h1>Shop</h1>${LONG}</main>`,
    },
  },
  'HTML with a long comment': { left: page(LONG), right: page(`<!-- ${'note '.repeat(900)} -->${LONG}`) },
  'a media type in another case': headers(
    { 'content-type': 'text/html;charset=UTF-8' },
    { 'content-type': 'text/html; charset=utf-8' },
  ),
  'CSP with a source twice': headers(
    { 'content-security-policy': "img-src 'self' data: data:" },
    { 'content-security-policy': "img-src data: 'self'" },
  ),
  'assets with another query': {
    left: page('', '<script src="/app.js?v=1a2b3c4d"></script>'),
    right: page('', '<script src="/app.js?v=99887766"></script>'),
  },
  'absolute links': {
    left: (request) => page(`<a href="${own(request)}/a">a</a>`),
    right: page('<a href="/a">a</a>'),
  },
  'cookies in another order': {
    left: withHeaders({ 'set-cookie': ['a=1; Secure; HttpOnly', 'b=2; Secure; HttpOnly'] }),
    right: withHeaders({ 'set-cookie': ['b=9; HttpOnly; Secure', 'a=7; HttpOnly; Secure'] }),
  },
  'paragraphs with other inline markup': {
    left: page('<p>one <b>two</b> three</p>'),
    right: page('<p>one <strong>two</strong> three</p>'),
  },
};

const VOLATILE: Readonly<Record<string, EqualPair>> = {
  'a page with everything that changes each time': CLEAN_PAIRS.page,
  'an API with everything that changes each time': CLEAN_PAIRS.api,
  'an ETag per side': both(() => withHeaders({ etag: `"${randomUUID()}"` })),
  'a request id': both(() =>
    withHeaders({ 'x-request-id': randomUUID(), 'x-runtime': String(Math.random()) }),
  ),
  'a nonce in policy and page': both(() => {
    const nonce = randomBytes(12).toString('base64');
    const policy = {
      'content-security-policy': `script-src 'nonce-${nonce}'; object-src 'none'; base-uri 'none'`,
    };
    return withHeaders(policy, page('', `<script nonce="${nonce}">start()</script>`));
  }),
  'a token in a form': both(() => page(`<form><input name="csrf_token" value="${randomUUID()}"></form>`)),
  'an A/B cookie': both(() =>
    withHeaders({ 'set-cookie': `ab=${Math.random() < 0.5 ? 'a' : 'b'}; Secure; HttpOnly; SameSite=Lax` }),
  ),
  'the time in the page': both(() => page(`<p>Rendered at ${new Date().toISOString()}</p>`)),
  'ids in JSON': both(() => json({ id: randomUUID(), at: Date.now(), ok: true })),
  'a comment with the render time': both(() => page(`<!-- rendered in ${Math.random()} s -->`)),
};

const HOSTS: Readonly<Record<string, EqualPair>> = {
  'own hosts in links': both((request) => page(`<a href="${own(request)}/a">${own(request)}/a</a>`)),
  'own hosts in metadata': both((request) =>
    page(
      '',
      `<link rel="canonical" href="${own(request)}/x"><meta property="og:url" content="${own(request)}/x">`,
    ),
  ),
  'own hosts in JSON': both((request) => json({ self: `${own(request)}/a`, next: `${own(request)}/b` })),
  'own hosts in a text': both((request) => text(`see ${own(request)}/a and ${request.headers.host}`)),
  'own hosts in a policy': both((request) =>
    withHeaders({ 'content-security-policy': `default-src 'self' ${own(request)}; object-src 'none'` }),
  ),
  'own hosts in a redirect': both((request) =>
    request.url === '/to' ? page() : { status: 301, headers: { location: `${own(request)}/to` } },
  ),
  'own hosts in cookies': both((request) =>
    withHeaders({
      'set-cookie': `a=1; Domain=${request.headers.host?.replace(/:.*/, '')}; Secure; HttpOnly`,
    }),
  ),
};

/** Bad, but equally so on the other side: no drift. */
const EQUALLY_BAD: Readonly<Record<string, EqualPair>> = {
  'the same 404': both({ status: 404, body: 'no', headers: { 'content-type': 'text/plain' } }),
  'the same 500': both({ status: 500 }),
  'no security headers at all': both(page()),
  'noindex on both': both(withHeaders({ 'x-robots-tag': 'noindex' })),
  'a cookie that caches store on both': both(
    withHeaders({ 'set-cookie': 'sid=1; Secure; HttpOnly', 'cache-control': 'public, max-age=60' }),
  ),
  'a reflected origin on both': both((request) =>
    request.headers.origin === undefined
      ? page()
      : withHeaders({
          'access-control-allow-origin': request.headers.origin,
          'access-control-allow-credentials': 'true',
        }),
  ),
  'a broken asset on both': both((request) =>
    request.url === '/planted' ? page('<img src="/gone.png" alt="">') : { status: 404 },
  ),
  'a stack trace on both': both(page('<pre>Traceback (most recent call last):</pre>')),
  'certificates that expire soon on both': { ...both(page()), at: '2051-03-27T00:00:00Z' },
};

/** What every second response of both sides lacks. */
const inTurns = (make: (odd: boolean) => CannedResponse): EqualPair => {
  const responder: Responder = (_request, turn) => make(turn % 2 === 1);
  return { left: responder, right: responder, samples: 4 };
};

const NOISY: Readonly<Record<string, EqualPair>> = {
  'a cookie in every second response': inTurns((odd) =>
    odd ? withHeaders({ 'set-cookie': 'ab=1; Path=/; Secure; HttpOnly' }) : page(),
  ),
  'a policy in every second response': inTurns((odd) =>
    odd ? withHeaders({ 'content-security-policy': "default-src 'self'" }) : page(),
  ),
  'a paragraph in every second response': inTurns((odd) =>
    page(odd ? `<p>${'An offer. '.repeat(30)}</p>` : ''),
  ),
};

export const EQUAL_PAIRS: Readonly<Record<string, EqualPair>> = {
  ...NOISY,
  ...WRITTEN_DIFFERENTLY,
  ...VOLATILE,
  ...HOSTS,
  ...EQUALLY_BAD,
};
