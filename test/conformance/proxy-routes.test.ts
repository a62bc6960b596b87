/**
 * Who may use which route, at the socket: a key of this server is used only for credentials, tenants and requests that
 * it is for. Everyone else is refused before the upstream is called or an idempotency key is claimed.
 */
import { request } from 'node:http';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TENANT_SCOPES } from '../../src/scopes.js';
import { JWT_SECRET } from '../support/app-for-tests.js';
import { type ProxyBench, refusal, startProxyBench, token, Upstream } from '../support/proxy-bench.js';

const CHAT = 'POST /v1/chat/completions';
const SERVICE = {
  chat: 'service-token-for-chat-and-nothing-else',
  none: 'service-token-without-any-routes-at-all',
};
const KEYS: Readonly<Record<string, string>> = {
  UP_KEY: 'sk-shared',
  ACME_KEY: 'sk-acme',
  REST_KEY: 'sk-rest',
};
const env = (name: string) => KEYS[name];

let upstream: Upstream;
let bench: ProxyBench;

const routesOf = (url: string) => ({
  chat: { url, credential: 'env:UP_KEY', private: true },
  second: { url, credential: 'env:UP_KEY', private: true },
  acmes: { url, credential: 'env:ACME_KEY', private: true, tenants: ['acme'] },
  each: { url, credential: { acme: 'env:ACME_KEY', '*': 'env:REST_KEY' }, private: true },
  only: { url, credential: { acme: 'env:ACME_KEY' }, private: true },
  narrow: { url: `${url}/v1`, credential: 'env:UP_KEY', private: true, paths: [CHAT, 'GET /v1/models/*'] },
  own: { url, credential: 'caller', private: true },
  theirs: { url, credential: 'caller', private: true, tenants: ['theirs'] },
});

beforeAll(async () => {
  upstream = await Upstream.start();
  bench = await startProxyBench({
    upstream,
    proxy: { routes: routesOf(upstream.origin), env },
    serviceTokens: [
      { token: SERVICE.chat, tenant: 'acme', scopes: ['proxy:create'], routes: ['chat'], paths: [CHAT] },
      { token: SERVICE.none, tenant: 'acme', scopes: ['proxy:create'] },
    ],
  });
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});
beforeEach(() => upstream.reset());

const post = (path: string, secret: string, headers: Record<string, string> = {}) =>
  fetch(`${bench.url}/r/${path}`, {
    method: 'POST',
    body: '{}',
    headers: { authorization: `Bearer ${secret}`, ...headers },
  });

const page = (tenant = 'acme', routes?: readonly string[], paths?: readonly string[]) =>
  token(tenant, ['proxy:create'], { ...(routes && { routes }), ...(paths && { paths }) });

/** The key that the upstream got, or the refusal; never both. */
async function outcome(response: Response): Promise<string> {
  if (response.status === 200) return String(upstream.asked.at(-1)?.headers.authorization);
  expect(upstream.asked).toEqual([]);
  return refusal(response);
}

describe('a key of this server', () => {
  test('is not for a token that names no route; the refusal says what to do', async () => {
    const response = await post('chat/v1/chat/completions', await page());
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: {
        code: 'ROUTE_FORBIDDEN',
        message: expect.stringMatching(
          /^The route "chat" .* claim "routes" .*: sonde token .* --route chat$/,
        ),
        route: 'chat',
        tenant: 'acme',
        claim: 'routes',
        command: 'sonde token --tenant acme --scope proxy:create --route chat',
      },
    });
    expect(upstream.asked).toEqual([]);
  });

  test.each([
    ['nothing', undefined],
    ['an empty list', []],
    ['another route', ['second']],
    ['its name as a prefix', ['cha']],
  ])('is not for a token that names %s', async (_what, routes) => {
    const secret = await new SignJWT({ tenant: 'acme', scope: 'proxy:create', ...(routes && { routes }) })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode(JWT_SECRET));
    expect(await outcome(await post('chat/x', secret))).toBe('403 ROUTE_FORBIDDEN');
  });

  test.each([
    { routes: 'chat' },
    { routes: ['*'] },
    { routes: [1] },
    { routes: ['chat'], paths: CHAT },
    { paths: ['/v1'] },
  ])('a token with the claims %j is refused as a whole', async (claims) => {
    const secret = await new SignJWT({ tenant: 'acme', scope: 'proxy:create', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode(JWT_SECRET));
    expect(await outcome(await post('chat/x', secret))).toBe('401 INVALID_SECRET');
  });

  test('is not for any scope but proxy:create and admin', async () => {
    const scopes = TENANT_SCOPES.filter((scope) => scope !== 'admin');
    expect(await outcome(await post('chat/x', await token('acme', scopes)))).toBe('403 ROUTE_FORBIDDEN');
    const others = scopes.filter((scope) => scope !== 'proxy:create');
    expect(await outcome(await post('chat/x', await token('acme', others)))).toBe('403 FORBIDDEN');
  });

  test('is for tokens and service tokens that name the route, and for administrators', async () => {
    for (const secret of [await page('acme', ['chat']), await token()])
      expect(await outcome(await post('chat/x', secret))).toBe('Bearer sk-shared');
    expect(await outcome(await post('chat/v1/chat/completions', SERVICE.chat))).toBe('Bearer sk-shared');
    upstream.reset();
    expect(await outcome(await post('chat/x', SERVICE.chat))).toBe('403 ROUTE_FORBIDDEN');
    expect(await outcome(await post('chat/v1/chat/completions', SERVICE.none))).toBe('403 ROUTE_FORBIDDEN');
  });

  test('without tenants, it is for every tenant whose credential names it', async () => {
    expect(await outcome(await post('chat/x', await page('other', ['chat'])))).toBe('Bearer sk-shared');
  });

  test('is only for the tenants of its route, whatever the credential', async () => {
    expect(await outcome(await post('acmes/x', await page('acme', ['acmes'])))).toBe('Bearer sk-acme');
    upstream.reset();
    for (const secret of [await page('other', ['acmes']), await token('other')])
      expect(await outcome(await post('acmes/x', secret))).toBe('403 ROUTE_FORBIDDEN');
    expect(await outcome(await post('theirs/x', await token(), sondeAuth(await token())))).toBe(
      '403 ROUTE_FORBIDDEN',
    );
  });

  test('may be another one for each tenant', async () => {
    expect(await outcome(await post('each/x', await page('acme', ['each'])))).toBe('Bearer sk-acme');
    expect(await outcome(await post('each/x', await page('other', ['each'])))).toBe('Bearer sk-rest');
    expect(await outcome(await post('only/x', await page('acme', ['only'])))).toBe('Bearer sk-acme');
    upstream.reset();
    for (const secret of [await page('other', ['only']), await token('other')])
      expect(await outcome(await post('only/x', secret))).toBe('403 ROUTE_FORBIDDEN');
  });

  test('is never used by /v1/proxy', async () => {
    const response = await bench.create('/v1/chat/completions', {
      method: 'POST',
      token: await page('acme', ['chat']),
    });
    expect(response.status).toBe(201);
    expect(JSON.stringify(upstream.asked)).not.toContain('sk-');
  });

  test('is not sent to the target of a redirect', async () => {
    const elsewhere = await Upstream.start();
    upstream.respond = (response) =>
      void response.writeHead(307, { location: `${elsewhere.origin}/v1/chat/completions` }).end();
    expect(await refusal(await post('chat/x', await page('acme', ['chat'])))).toBe(
      '400 REDIRECT_NOT_ALLOWED',
    );
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.listening.close();
  });
});

const sondeAuth = (secret: string) => ({
  'sonde-authorization': `Bearer ${secret}`,
  authorization: 'Bearer sk-mine',
});

test('a route with the credential of the caller needs no claim', async () => {
  const secret = await page();
  expect(await outcome(await post('own/x', secret, sondeAuth(secret)))).toBe('Bearer sk-mine');
  upstream.reset();
  const limited = await page('acme', ['chat'], [CHAT]);
  expect(await outcome(await post('own/x', limited, sondeAuth(limited)))).toBe('403 ROUTE_FORBIDDEN');
});

test('a refusal does not spend the idempotency key', async () => {
  const headers = { 'idempotency-key': 'refused-once' };
  expect(await outcome(await post('chat/x', await page(), headers))).toBe('403 ROUTE_FORBIDDEN');
  expect(await outcome(await post('chat/x', await page('acme', ['chat']), headers))).toBe('Bearer sk-shared');
  // Not even the stored response is for a credential that may not use the route.
  const repeated = await post('chat/x', await page(), headers);
  expect([await refusal(repeated), upstream.asked.length]).toEqual(['403 ROUTE_FORBIDDEN', 1]);
});

test('on every path through the server, not only the direct one, and for every method', async () => {
  const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  expect(await outcome(await post('chat/x', await page(), headers))).toBe('403 ROUTE_FORBIDDEN');
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
    const response = await fetch(`${bench.url}/r/chat/x`, {
      method,
      headers: { authorization: `Bearer ${await page()}` },
    });
    expect([method, response.status]).toEqual([method, 403]);
  }
  expect(upstream.asked).toEqual([]);
});

/** Sends the path exactly as it is written. */
function raw(method: string, path: string, secret: string): Promise<number> {
  const { hostname, port } = new URL(bench.url);
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-length': '0' };
    request({ hostname, port, method, path, headers }, (response) =>
      resolve(response.resume().statusCode ?? 0),
    )
      .on('error', reject)
      .end();
  });
}

describe('paths', () => {
  const SPELLINGS: readonly [string, string, number][] = [
    ['POST', '/v1/chat/completions', 200],
    ['POST', '/v1/chat/completions?x=/v1/files', 200],
    ['POST', '/v1/files/../chat/completions', 200],
    ['GET', '/v1/chat/completions', 403],
    ['POST', '/v1/chat/completions/', 403],
    ['POST', '/v1/files', 403],
    ['POST', '/v1/files?/v1/chat/completions', 403],
    ['POST', '/v1/chat/completions/../../files', 403],
    ['POST', '/v1/chat/completions/%2e%2e/%2E%2e/files', 403],
    ['POST', '/v1/chat/completions/..%2f..%2ffiles', 403],
    ['POST', '/v1/chat%2fcompletions', 403],
    ['POST', '/v1/chat%252fcompletions', 403],
    ['POST', '/v1/%63hat/completions', 403],
    ['POST', '/V1/chat/completions', 403],
    ['POST', '//v1/chat/completions', 403],
    ['POST', '/v1//chat/completions', 403],
    ['POST', '/v1/chat/completions;x', 403],
  ];

  test.each(SPELLINGS)('of a token: %s %s is %i', async (method, path, status) => {
    const secret = await page('acme', ['chat'], [CHAT]);
    expect(await raw(method, `/r/chat${path}`, secret)).toBe(status);
    expect(upstream.asked.map(({ url }) => url.split('?')[0])).toEqual(
      status === 200 ? ['/v1/chat/completions'] : [],
    );
  });

  test.each([
    ...SPELLINGS.map(([method, path, status]) => [method, path, status] as const),
    ['GET', '/v1/models/gpt-5', 200] as const,
    ['GET', '/v1/models/..%2ffiles', 403] as const,
  ])('of a route, also for administrators: %s %s is %i', async (method, path, status) => {
    // The route's base is /v1, and its rules name the path that is sent.
    const below = path.replace(/^\/v1(?=\/)/, '');
    if (below === path) return;
    expect(await raw(method, `/r/narrow${below}`, await token())).toBe(status);
    expect(upstream.asked).toHaveLength(status === 200 ? 1 : 0);
  });

  test('the refusal prints the command, with the request as a path that the token needs', async () => {
    const response = await post('chat/v1/files', await page('acme', ['chat'], [CHAT]));
    expect((await response.json()).error).toMatchObject({
      claim: 'paths',
      command: "sonde token --tenant acme --scope proxy:create --route chat --path 'POST /v1/files'",
    });
  });

  test('a path that could run in a shell is not part of the command', async () => {
    const secret = await page('acme', ['chat'], [CHAT]);
    const response = await fetch(`${bench.url}/r/chat/'$(id)'`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect((await response.json()).error.command).toMatch(/--path 'GET \/…'$/);
  });
});

test('without authentication, every route of the tenant can be used', async () => {
  const routes = { chat: { url: upstream.origin, credential: 'env:UP_KEY', private: true } };
  const open = await startProxyBench({ upstream, auth: 'none', jwt: {}, proxy: { routes, env } });
  const response = await fetch(`${open.url}/r/chat/x`, { headers: { authorization: 'Bearer anything' } });
  expect([response.status, upstream.asked[0]?.headers.authorization]).toEqual([200, 'Bearer sk-shared']);
  await open.stop();
});
