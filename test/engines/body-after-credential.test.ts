/**
 * No route reads a body before it has checked the credential and the scope: the response arrives although only the
 * first bytes of the body are ever sent. A route of the API document that takes a body but has no row here fails the
 * test.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { listenHttp } from '../support/listen.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
/** Only for hangs; on a busy machine a response may take seconds. */
const ANSWER_MS = 120_000;

const lines: LogLine[] = [];
let server: ServedForTest;
let upstream: Awaited<ReturnType<typeof listenHttp>>;
beforeAll(async () => {
  upstream = await listenHttp((_request, response) => response.end('hello'));
  server = await serveForTest({
    auth: 'jwt',
    jwt: { secret: SECRET },
    log: keepingLog(lines),
    proxy: {
      allow: [`private:${upstream.origin}`],
      routes: { up: { url: upstream.origin, credential: 'caller', private: true } },
      env: () => undefined,
    },
  });
});
afterAll(async () => {
  await server.stop();
  await upstream.close();
});

/** Returns the status of a request whose body stops after a few bytes. */
function statusOf(
  ...[method, path, headers, body]: [string, string, Readonly<Record<string, string>>, string?]
): Promise<number> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const lines = Object.entries({ Host: 'localhost', 'Content-Type': 'application/json', ...headers });
    socket.write(
      `${method} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
    );
    socket.write(body ?? ('transfer-encoding' in headers ? '5\r\n[[[[[\r\n' : '[[[[['));
    const timer = setTimeout(() => reject(new Error(`${method} ${path} waits for the body`)), ANSWER_MS);
    socket.once('data', (data) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1]));
    });
    socket.once('error', reject);
  });
}

const FRAMINGS = { declared: { 'content-length': '9000000' }, chunked: { 'transfer-encoding': 'chunked' } };

/** The status without a credential, then with one that lacks the scope, by operation of the API document. */
const ROWS: Readonly<
  Record<string, { readonly path?: string; readonly statuses: readonly [number, number] }>
> = {
  'POST /api/session': { statuses: [413, 413] },
  'POST /api/jobs': { statuses: [401, 403] },
  'POST /api/audits': { statuses: [401, 403] },
  'POST /api/compare': { statuses: [401, 403] },
  'POST /api/pairs/{pairKey}/baseline': { path: '/api/pairs/a/baseline', statuses: [401, 403] },
  'POST /api/suites': { statuses: [401, 403] },
  'POST /api/webhooks': { statuses: [401, 403] },
  'POST /v1/proxy': { statuses: [401, 403] },
  'PUT /v1/stream/{path}': { path: '/v1/stream/a', statuses: [401, 403] },
  'POST /v1/stream/{path}': { path: '/v1/stream/a', statuses: [401, 403] },
  'PUT /v1/stream/__ds/subscriptions/{id}': { path: '/v1/stream/__ds/subscriptions/a', statuses: [401, 403] },
  'POST /v1/stream/__ds/subscriptions/{id}/streams': {
    path: '/v1/stream/__ds/subscriptions/a/streams',
    statuses: [401, 403],
  },
  'POST /v1/stream/__ds/subscriptions/{id}/claim': {
    path: '/v1/stream/__ds/subscriptions/a/claim',
    statuses: [401, 403],
  },
  'POST /v1/stream/__ds/subscriptions/{id}/callback': {
    path: '/v1/stream/__ds/subscriptions/a/callback',
    statuses: [401, 401],
  },
  'POST /v1/stream/__ds/subscriptions/{id}/ack': {
    path: '/v1/stream/__ds/subscriptions/a/ack',
    statuses: [401, 401],
  },
  'POST /v1/stream/__ds/subscriptions/{id}/release': {
    path: '/v1/stream/__ds/subscriptions/a/release',
    statuses: [401, 401],
  },
  ...Object.fromEntries(
    ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => [
      [`${method} /r/{route}`, { path: '/r/up', statuses: [401, 403] as const }],
      [`${method} /r/{route}/{path}`, { path: '/r/up/a', statuses: [401, 403] as const }],
    ]),
  ),
};

test('every operation that takes a body has a row', async () => {
  const document = await (await fetch(`${server.url}/openapi.json`)).json();
  const paths = document.paths as Record<string, Record<string, { requestBody?: unknown }>>;
  const taking = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.requestBody !== undefined)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  expect(taking.filter((operation) => ROWS[operation] === undefined)).toEqual([]);
});

describe.each(Object.entries(FRAMINGS))('a body that is %s', (framing, headers) => {
  test.each(Object.entries(ROWS))('%s', async (operation, { path, statuses }) => {
    const [method = '', plain = ''] = operation.split(' ');
    const target = path ?? plain;
    // The login reads a few kilobytes, so a body without a declared length is refused only once it is too long.
    if (target === '/api/session' && framing === 'chunked') return;
    const token = await mintToken({ secret: SECRET, tenant: 'default', scopes: [], expiresInSeconds: 60 });
    const shown = { authorization: `Bearer ${token}`, 'sonde-authorization': `Bearer ${token}` };
    expect([
      await statusOf(method, target, headers),
      await statusOf(method, target, { ...headers, ...shown }),
    ]).toEqual(statuses);
  });
});

test('a login without a declared length is read up to a few kilobytes', async () => {
  const response = await fetch(`${server.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Blob([`{"code":"${'x'.repeat(8_000)}"}`]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect([response.status, (await response.json()).error.code]).toEqual([413, 'BODY_TOO_LARGE']);
});

test("a body with broken chunks is the caller's error, not the server's", async () => {
  const token = await mintToken({
    secret: SECRET,
    tenant: 'default',
    scopes: ['admin'],
    expiresInSeconds: 60,
  });
  for (const path of ['/api/session', '/api/jobs', '/api/suites', '/v1/proxy', '/v1/stream/broken']) {
    const status = await statusOf(
      'POST',
      path,
      { authorization: `Bearer ${token}`, 'transfer-encoding': 'chunked', 'upstream-url': upstream.origin },
      'zz\n\n',
    );
    expect([path, status]).toEqual([path, 400]);
  }
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('two Host headers are refused on every path', async () => {
  for (const path of ['/v1/stream/mine', '/api/health']) {
    expect(await statusOf('GET', path, { 'X-Padding': '1\r\nHost: evil.test' })).toBe(400);
  }
});
