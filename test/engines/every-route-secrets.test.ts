/**
 * Puts a credential in every place where a request can carry one, on every route of the API document. Whatever the
 * response, the credential appears in no file and no log line, and no response repeats it. Stream bodies are exempt:
 * they are their owner's data.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { TENANT_SCOPES } from '../../src/scopes.js';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';
import { storedFilesWith } from '../support/stored-files.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const CANARY = 'canary-of-every-route-1147';

let site: Listening;
let server: ServedForTest;
let bearer: string;
const lines: LogLine[] = [];

beforeAll(async () => {
  site = await listenHttp((_request, response) => response.end('a page'));
  server = await serveForTest({
    auth: 'jwt',
    jwt: { secret: SECRET },
    net: { allowPrivate: [site.origin] },
    proxy: { allow: [`private:${site.origin}`], routes: {}, env: () => undefined },
    // The test reads a feed to its end, which would otherwise never come.
    sseMs: 500,
    log: keepingLog(lines),
  });
  const token = await mintToken({
    secret: SECRET,
    tenant: 'default',
    scopes: [...TENANT_SCOPES],
    expiresInSeconds: 600,
  });
  bearer = `Bearer ${token}`;
});
afterAll(async () => {
  await server.stop();
  await site.close();
});

interface Carried {
  readonly headers: (own: string) => Readonly<Record<string, string>>;
  readonly query: string;
  /** Returns a URL for every field and header that takes one. */
  readonly url: () => string;
}

const upstream = (url: string) => ({ 'upstream-url': url, 'upstream-method': 'GET' });

const WAYS: Readonly<Record<string, Carried>> = {
  'in place of the caller’s own': {
    headers: () => ({
      authorization: `Bearer ${CANARY}`,
      'sonde-authorization': `Bearer ${CANARY}`,
      cookie: `sonde_session=${CANARY}`,
    }),
    query: `secret=${CANARY}&signature=${CANARY}&expires=9999999999`,
    url: () => `${site.origin}/`,
  },
  'as a password in URLs': {
    headers: (own) => ({ authorization: own, referer: `http://bob:${CANARY}@example.com/` }),
    query: `url=${encodeURIComponent(`http://bob:${CANARY}@example.com/`)}`,
    url: () => `http://bob:${CANARY}@example.com/`,
  },
  'as parameters and headers': {
    headers: (own) => ({
      authorization: own,
      cookie: `session=${CANARY}`,
      'x-api-key': CANARY,
      'upstream-authorization': `Bearer ${CANARY}`,
      'proxy-authorization': `Basic ${CANARY}`,
    }),
    query: `api_key=${CANARY}&token=${CANARY}`,
    url: () => `${site.origin}/?api_key=${CANARY}`,
  },
};

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>;
}

function bodyWith(url: string): string {
  const headers = { authorization: `Bearer ${CANARY}`, cookie: `session=${CANARY}` };
  const named = { code: CANARY, password: CANARY, token: CANARY, kind: 'hello', type: 'webhook' };
  const sides = { leftUrl: url, rightUrl: url, leftHeaders: headers, rightHeaders: headers, paths: ['/'] };
  return JSON.stringify({ ...named, ...sides, url, webhook: { url }, streams: ['any'], worker: 'ann' });
}

test.each(Object.entries(WAYS))('a credential %s is stored nowhere', async (_name, way) => {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as ApiDocument;
  const repeating: string[] = [];
  let asked = 0;
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(item)) {
      const isContent = path === '/v1/stream/{path}';
      const filled = path.replace(/\{\w+\}/g, '019a0000-0000-7000-8000-000000000001');
      const withBody = requestBody !== undefined && !isContent;
      const response = await fetch(`${server.url}${filled}?${way.query}`, {
        method: method.toUpperCase(),
        headers: {
          ...way.headers(bearer),
          ...(path === '/v1/proxy' && upstream(way.url())),
          ...(withBody && { 'content-type': 'application/json' }),
        },
        ...(withBody && { body: bodyWith(way.url()) }),
      });
      const received = [...response.headers].join('\n') + (await response.text());
      if (received.includes(CANARY)) repeating.push(`${method} ${path} (${response.status})`);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(50);
  expect(repeating).toEqual([]);
  expect(JSON.stringify(lines).includes(CANARY)).toBe(false);
});

test('work that would have to store one in plain text is refused', async () => {
  const url = `${site.origin}/?api_key=${CANARY}`;
  for (const [path, body] of [
    ['/api/jobs', { kind: 'hello', url }],
    ['/api/audits', { url, pages: 1 }],
  ] as const) {
    const refused = await post(path, body);
    expect([path, refused.status]).toEqual([path, 400]);
    expect(await refused.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', field: 'body.url' } });
  }
});

test('work that started with one has none after it has ended', async () => {
  const sides = {
    leftUrl: `${site.origin}/?token=${CANARY}`,
    rightUrl: `${site.origin}/b`,
    rightHeaders: { authorization: `Bearer ${CANARY}` },
    samples: 1,
  };
  for (const [path, body] of [
    ['/api/compare', sides],
    ['/api/suites', { ...sides, leftUrl: site.origin, paths: ['/a'] }],
  ] as const) {
    const made = await post(path, body);
    expect([path, made.status]).toEqual([path, 201]);
    const where = new URL(made.headers.get('location') ?? '', server.url).pathname;
    for (const [rest, accept] of [
      ['/events', 'text/event-stream'],
      ['', 'application/json'],
    ] as const) {
      const shown = await fetch(`${server.url}${where}${rest}`, {
        headers: { authorization: bearer, accept },
      });
      expect(shown.status).toBe(200);
      expect((await shown.text()).includes(CANARY)).toBe(false);
    }
  }
  expect(JSON.stringify(lines).includes(CANARY)).toBe(false);
  const { all, found } = storedFilesWith(server.dataDir, CANARY);
  expect(all).toBeGreaterThan(2);
  expect(found).toEqual([]);
});

function post(path: string, body: unknown): Promise<Response> {
  const headers = { authorization: bearer, 'content-type': 'application/json' };
  return fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}
