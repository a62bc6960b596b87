/** Who may do what with a proxied response: credentials, signed URLs, tenants, scopes, CORS and the Location. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EXPOSED_HEADERS } from '../../src/kernel/cors.js';
import { can } from '../support/engine-capabilities.js';
import {
  idOf,
  locationOf,
  type ProxyBench,
  readToEnd,
  refusal,
  startProxyBench,
  token,
  untilShown,
} from '../support/proxy-bench.js';

const SIGNING = 'the-signing-secret-of-this-suite-is-long';
let bench: ProxyBench;
let tokens: Record<'all' | 'reader' | 'creator' | 'admin' | 'stranger', string>;

beforeAll(async () => {
  bench = await startProxyBench({
    proxy: { signingSecret: [SIGNING, 'the-one-before-it-which-is-accepted-too!'] },
  });
  tokens = {
    all: await token(),
    reader: await token('acme', ['proxy:read']),
    creator: await token('acme', ['proxy:create']),
    admin: await token('acme', ['proxy:admin']),
    stranger: await token('other'),
  };
});
afterAll(() => bench.stop());
beforeEach(() => bench.upstream.reset());

type Method = 'GET' | 'HEAD' | 'PATCH' | 'DELETE';
type Credential =
  | 'none'
  | 'signed'
  | 'signed and a bad token'
  | 'expired signature'
  | 'wrong signature'
  | 'wrong signature and a token'
  | 'expires alone'
  | 'signature alone'
  | 'service'
  | '?secret='
  | 'without the scope'
  | 'bad token'
  | 'of another tenant';

const SIGN_INVALID = '401 SIGNATURE_INVALID';
const MISSING = '401 MISSING_SECRET';

/** The whole matrix; a missing cell does not compile. `ok` is the method's own success. */
const MATRIX: Readonly<Record<Credential, Readonly<Record<Method, string>>>> = {
  none: { GET: MISSING, HEAD: '401', PATCH: '401 MISSING_SIGNATURE', DELETE: MISSING },
  signed: { GET: 'ok', HEAD: '401', PATCH: 'ok', DELETE: MISSING },
  'signed and a bad token': { GET: 'ok', HEAD: '401', PATCH: 'ok', DELETE: '401 INVALID_SECRET' },
  'expired signature': {
    GET: '401 SIGNATURE_EXPIRED',
    HEAD: '401',
    PATCH: '401 SIGNATURE_EXPIRED',
    DELETE: MISSING,
  },
  'wrong signature': { GET: SIGN_INVALID, HEAD: '401', PATCH: SIGN_INVALID, DELETE: MISSING },
  'wrong signature and a token': { GET: SIGN_INVALID, HEAD: 'ok', PATCH: SIGN_INVALID, DELETE: 'ok' },
  'expires alone': { GET: MISSING, HEAD: '401', PATCH: '401 MISSING_SIGNATURE', DELETE: MISSING },
  'signature alone': { GET: MISSING, HEAD: '401', PATCH: '401 MISSING_SIGNATURE', DELETE: MISSING },
  service: { GET: 'ok', HEAD: 'ok', PATCH: '401 MISSING_SIGNATURE', DELETE: 'ok' },
  '?secret=': { GET: 'ok', HEAD: 'ok', PATCH: '401 MISSING_SIGNATURE', DELETE: 'ok' },
  'without the scope': {
    GET: '403 FORBIDDEN',
    HEAD: '403',
    PATCH: '401 MISSING_SIGNATURE',
    DELETE: '403 FORBIDDEN',
  },
  'bad token': {
    GET: '401 INVALID_SECRET',
    HEAD: '401',
    PATCH: '401 MISSING_SIGNATURE',
    DELETE: '401 INVALID_SECRET',
  },
  // Deleting an invisible stream changes nothing, and responds like deleting one that never existed.
  'of another tenant': {
    GET: '404 STREAM_NOT_FOUND',
    HEAD: '404',
    PATCH: '401 MISSING_SIGNATURE',
    DELETE: 'ok',
  },
};
const SUCCESS: Readonly<Record<Method, number>> = { GET: 200, HEAD: 200, PATCH: 204, DELETE: 204 };

const sign = (id: string, expires: number | string, secret = SIGNING) =>
  createHmac('sha256', secret).update(`${id}:${expires}`).digest('base64url');

function shown(credential: Credential, id: string): { query: string; token: string } {
  const later = Math.floor(Date.now() / 1000) + 600;
  const earlier = Math.floor(Date.now() / 1000) - 5;
  const signed = `expires=${later}&signature=${sign(id, later)}`;
  const wrong = `expires=${later + 1}&signature=${sign(id, later)}`;
  switch (credential) {
    case 'none':
      return { query: '', token: '' };
    case 'signed':
      return { query: signed, token: '' };
    case 'signed and a bad token':
      return { query: signed, token: 'nonsense' };
    case 'expired signature':
      return { query: `expires=${earlier}&signature=${sign(id, earlier)}`, token: '' };
    case 'wrong signature':
      return { query: wrong, token: '' };
    case 'wrong signature and a token':
      return { query: wrong, token: tokens.all };
    case 'expires alone':
      return { query: `expires=${later}`, token: '' };
    case 'signature alone':
      return { query: `signature=${sign(id, later)}`, token: '' };
    case 'service':
      return { query: '', token: tokens.all };
    case '?secret=':
      return { query: `secret=${tokens.all}`, token: '' };
    case 'without the scope':
      return { query: '', token: tokens.creator };
    case 'bad token':
      return { query: '', token: 'nonsense' };
    case 'of another tenant':
      return { query: '', token: tokens.stranger };
  }
}

describe.each(Object.keys(MATRIX) as Credential[])('with the credential: %s', (credential) => {
  test.each(['GET', 'HEAD', 'PATCH', 'DELETE'] as const)('%s', async (method) => {
    const created = await bench.create();
    await readToEnd(locationOf(created));
    const id = idOf(created);
    const { query, token: given } = shown(credential, id);
    const action = method === 'PATCH' ? '&action=abort' : '';
    const response = await bench.ask(`/v1/proxy/${id}?${query}${action}`, { method, token: given });
    const expected = MATRIX[credential][method];
    if (expected === 'ok') expect(response.status).toBe(SUCCESS[method]);
    else if (method === 'HEAD') expect(String(response.status)).toBe(expected);
    else expect(await refusal(response)).toBe(expected);
    const left = await bench.ask(`/v1/proxy/${id}`);
    const deleted = method === 'DELETE' && expected === 'ok' && credential !== 'of another tenant';
    expect(left.status).toBe(deleted ? 404 : 200);
  });
});

describe('scopes', () => {
  test.each([
    ['reader', [403, 200, 403, 403]],
    ['creator', [201, 403, 403, 403]],
    ['admin', [403, 403, 200, 204]],
  ] as const)('%s: create, read, head, delete', async (who, expected) => {
    const id = idOf(await bench.create());
    const given = { token: tokens[who] };
    expect([
      (await bench.create('/', given)).status,
      (await bench.ask(`/v1/proxy/${id}`, given)).status,
      (await bench.ask(`/v1/proxy/${id}`, { method: 'HEAD', ...given })).status,
      (await bench.ask(`/v1/proxy/${id}`, { method: 'DELETE', ...given })).status,
    ]).toEqual(expected);
  });
});

describe('PATCH', () => {
  test.each(['', '&action=', '&action=stop', '&action=ABORT', '&Action=abort'])(
    'action %j: INVALID_ACTION',
    async (action) => {
      const location = locationOf(await bench.create());
      const response = await fetch(`${location}${action}`, { method: 'PATCH' });
      const text = await response.text();
      expect([response.status, text]).toEqual([400, expect.stringContaining('INVALID_ACTION')]);
      expect(text).toContain('abort');
    },
  );

  test('the signature is checked before the action', async () => {
    const { pathname } = new URL(locationOf(await bench.create()));
    expect(await refusal(await fetch(`${bench.url}${pathname}?action=x`, { method: 'PATCH' }))).toBe(
      '401 MISSING_SIGNATURE',
    );
  });

  test('stops the upstream, keeps what arrived, can be repeated, and leaves a completed response alone', async () => {
    bench.upstream.respond = (response) => void response.writeHead(200).write('so far');
    const location = locationOf(await bench.create());
    await untilShown(location, 'so far');
    for (let i = 0; i < 3; i++) {
      expect((await fetch(`${location}&action=abort`, { method: 'PATCH' })).status).toBe(204);
    }
    await bench.upstream.listening.idle();
    const read = await fetch(location);
    expect(await read.text()).toBe('so far');
    expect(read.headers.get('upstream-outcome')).toBe('aborted');
    expect(read.headers.get('upstream-error')).toBeNull();
    expect(read.headers.get('stream-closed')).toBe('true');
    bench.upstream.reset();
    const done = locationOf(await bench.create());
    await readToEnd(done);
    expect((await fetch(`${done}&action=abort`, { method: 'PATCH' })).status).toBe(204);
    expect((await fetch(done)).headers.get('upstream-outcome')).toBe('completed');
  });
});

describe('DELETE', () => {
  test('stops the upstream, ends live reads, removes the stream, and can be repeated', async () => {
    bench.upstream.respond = (response) => void response.writeHead(200).write('x');
    const created = await bench.create();
    const location = locationOf(created);
    await untilShown(location, 'x');
    const waiting = fetch(`${location}&offset=now&live=long-poll`);
    const sse = fetch(`${location}&offset=-1&live=sse`).then((response) => response.text());
    for (let i = 0; i < 2; i++) {
      expect((await bench.ask(`/v1/proxy/${idOf(created)}`, { method: 'DELETE' })).status).toBe(204);
    }
    await bench.upstream.listening.idle();
    expect([404, 204, 200]).toContain((await waiting).status);
    await sse;
    expect(await refusal(await fetch(location))).toBe('404 STREAM_NOT_FOUND');
    expect((await bench.ask(`/v1/proxy/${idOf(created)}`, { method: 'HEAD' })).status).toBe(404);
    expect((await fetch(`${location}&action=abort`, { method: 'PATCH' })).status).toBe(204);
  });

  test.each(['never-made', '0198f000-0000-7000-8000-000000000000', '..%2fx', '%00'])(
    'of the missing stream %s succeeds',
    async (id) => {
      expect((await bench.ask(`/v1/proxy/${id}`, { method: 'DELETE' })).status).toBe(204);
    },
  );
});

describe('ids', () => {
  test.each([
    'x',
    '0198f000-0000-7000-8000-000000000000',
    'acme%2Fx',
    '..%2f..%2fx',
    '%F0%28',
    'a'.repeat(300),
  ])('%s is not found', async (id) => {
    expect((await bench.ask(`/v1/proxy/${id}`, { method: 'HEAD' })).status).toBe(404);
    expect(await refusal(await bench.ask(`/v1/proxy/${id}`))).toMatch(/^404 (?:STREAM_)?NOT_FOUND$/);
  });

  test('a proxied stream is not reachable under /v1/stream', async () => {
    const id = idOf(await bench.create());
    const refusals = async (path: string) => [
      await refusal(await bench.ask(`/v1/stream/${path}`)),
      await refusal(await bench.ask(`/v1/stream/${path}`, { method: 'DELETE' })),
    ];
    for (const path of [id, `proxy/${id}`, `proxy%2f${id}`, `acme/proxy/${id}`])
      expect(await refusals(path)).toEqual(Array(2).fill('404 STREAM_NOT_FOUND'));
    // An encoded slash separates segments, and no segment of a stream's path is "..".
    expect(await refusals(`..%2fproxy/${id}`)).toEqual(Array(2).fill('400 INVALID_REQUEST'));
    expect((await bench.ask(`/v1/proxy/${id}`)).status).toBe(200);
  });

  test("a caller's own stream cannot be read as a proxied one", async () => {
    const id = '0198f000-0000-7000-8000-00000000abcd';
    const headers = { 'content-type': 'text/plain' };
    for (const path of [id, `proxy/${id}`])
      expect((await bench.ask(`/v1/stream/${path}`, { method: 'PUT', headers })).status).toBe(201);
    expect((await bench.ask(`/v1/proxy/${id}`)).status).toBe(404);
  });

  test('unknown paths and methods have codes too', async () => {
    expect(await refusal(await bench.ask('/v1/proxy/a/b'))).toBe('404 NOT_FOUND');
    expect(await refusal(await bench.ask('/v1/proxy', { method: 'DELETE' }))).toMatch(/^40[45] /);
    expect(await refusal(await bench.ask('/v1/proxy/x', { method: 'PUT' }))).toMatch(/^40[45] /);
  });
});

describe('Location', () => {
  const via = async (bench2: ProxyBench, headers: Record<string, string>) =>
    new URL(locationOf(await bench2.create('/', { headers }))).origin;

  test('forwarded scheme and host are ignored by default', async () => {
    const forwarded = { 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil.test, sonde.example' };
    expect(await via(bench, forwarded)).toBe(bench.url);
  });

  if (can('trustProxy')) {
    test('forwarded scheme and host count only from a trusted peer, and only their last entry', async () => {
      const forwarded = {
        'x-forwarded-proto': 'http, https',
        'x-forwarded-host': 'evil.test, sonde.example',
      };
      expect(await via(bench, forwarded)).toBe(bench.url);
      const trusting = await startProxyBench({ upstream: bench.upstream, trustProxy: ['127.0.0.1'] });
      expect(await via(trusting, forwarded)).toBe('https://sonde.example');
      expect(await via(trusting, { 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'a/b@c' })).toBe(
        trusting.url,
      );
      await trusting.stop();
    });
  }

  test('the public URL overrides the headers of a request', async () => {
    const named = await startProxyBench({ upstream: bench.upstream, publicUrl: 'https://public.example' });
    const created = await named.create('/', { headers: { 'x-forwarded-host': 'other.example' } });
    expect(locationOf(created)).toMatch(/^https:\/\/public\.example\/v1\/proxy\//);
    await named.stop();
  });

  if (can('trustProxy') && can('optionsBesideSettings')) {
    test('--public-url overrides everything', async () => {
      const named = await startProxyBench({
        upstream: bench.upstream,
        trustProxy: ['127.0.0.1'],
        publicUrl: 'https://public.example/base/',
      });
      const created = await named.create('/', { headers: { 'x-forwarded-host': 'other.example' } });
      expect(locationOf(created)).toMatch(/^https:\/\/public\.example\/base\/v1\/proxy\//);
      await named.stop();
    });
  }

  test('the previous secret still verifies; an unknown one does not', async () => {
    const id = idOf(await bench.create());
    const expires = Math.floor(Date.now() / 1000) + 60;
    const by = (secret: string) =>
      fetch(`${bench.url}/v1/proxy/${id}?expires=${expires}&signature=${sign(id, expires, secret)}`);
    expect((await by('the-one-before-it-which-is-accepted-too!')).status).toBe(200);
    expect(await refusal(await by('a-third-one-that-nobody-has-configured!!'))).toBe(SIGN_INVALID);
  });
});

describe('CORS', () => {
  test.each(['/v1/proxy', '/v1/proxy/', '/v1/proxy/any-id'])(
    'a preflight for %s is 204 without a credential',
    async (path) => {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
      const response = await fetch(`${bench.url}${path}`, { method: 'OPTIONS', headers });
      expect(response.status).toBe(204);
      const allowed = response.headers.get('access-control-allow-headers') ?? '';
      for (const name of [
        'Upstream-URL',
        'Upstream-Authorization',
        'Upstream-Method',
        'Content-Type',
        'Authorization',
        'Idempotency-Key',
        'Orphan-Policy',
      ])
        expect(allowed).toContain(name);
      expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    },
  );

  test('responses and errors can be read, with every exposed header', async () => {
    const headers = { origin: 'https://app.example' };
    const created = await bench.create('/', { headers });
    const read = await fetch(locationOf(created), { headers });
    const refused = await fetch(`${bench.url}/v1/proxy`, { method: 'POST', headers });
    for (const response of [created, read, refused]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toBe(EXPOSED_HEADERS.join(', '));
    }
  });
});

test('without authentication everything but PATCH is open, on loopback', async () => {
  const open = await startProxyBench({ upstream: bench.upstream, auth: 'none', jwt: {} });
  const created = await open.create('/', { token: '' });
  expect(created.status).toBe(201);
  const path = `/v1/proxy/${idOf(created)}`;
  expect((await open.ask(path, { token: '' })).status).toBe(200);
  expect((await open.ask(path, { method: 'HEAD', token: '' })).status).toBe(200);
  expect(await refusal(await open.ask(`${path}?action=abort`, { method: 'PATCH', token: '' }))).toBe(
    '401 MISSING_SIGNATURE',
  );
  expect((await fetch(`${locationOf(created)}&action=abort`, { method: 'PATCH' })).status).toBe(204);
  expect(await refusal(await open.create('/', { token: '', headers: { origin: 'https://evil.test' } }))).toBe(
    '403 ORIGIN_REFUSED',
  );
  expect((await open.ask(path, { method: 'DELETE', token: '' })).status).toBe(204);
  await open.stop();
});
