/**
 * One tenant at every limit at once: the other gets no refusal, and nothing that it is told or shown says that there
 * is another.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';
import { serveRecords } from '../support/serve-engine.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const LIMIT = 3;
const QUOTAS = {
  openStreams: LIMIT,
  subscriptions: LIMIT,
  subscriptionEntries: LIMIT * 2,
  proxyStreams: LIMIT,
  webhooks: LIMIT,
  jobsQueued: LIMIT,
};

let upstream: Listening;
let server: ServedForTest;
/** Responses that have begun and never end by themselves. */
const slow: ServerResponse[] = [];
beforeAll(async () => {
  upstream = await listenHttp((request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    if (request.url !== '/slow') return response.end('hello');
    response.write('begun');
    slow.push(response);
    return undefined;
  });
  server = await serveRecords(
    { tenants: { greedy: QUOTAS, modest: QUOTAS } },
    {
      auth: 'jwt',
      jwt: { secret: SECRET },
      publicUrl: 'https://sonde.example.com',
      ratePerMinute: 1_000,
      net: { allowPrivate: [upstream.origin] },
      proxy: { allow: [`private:${upstream.origin}`], routes: {}, env: () => undefined },
    },
  );
});
afterAll(async () => {
  for (const response of slow) response.end();
  await server.stop();
  await upstream.close();
});

async function send(tenant: string, method: string, path: string, init: Omit<RequestInit, 'method'> = {}) {
  const token = await mintToken({ secret: SECRET, tenant, scopes: ['admin'], expiresInSeconds: 600 });
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
  return fetch(server.url + path, { ...init, method, headers });
}

const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** By what is bounded: the n-th request that takes up one more of it. */
const KINDS: Readonly<Record<string, (tenant: string, n: number) => Promise<Response>>> = {
  'open streams': (tenant, n) =>
    send(tenant, 'PUT', `/v1/stream/s${n}`, { headers: { 'content-type': 'text/plain' } }),
  subscriptions: (tenant, n) =>
    send(
      tenant,
      'PUT',
      `/v1/stream/__ds/subscriptions/s${n}`,
      json({ type: 'pull-wake', wake_stream: 'w', streams: ['a'] }),
    ),
  'proxied responses': (tenant) =>
    send(tenant, 'POST', '/v1/proxy', {
      headers: { 'upstream-url': `${upstream.origin}/slow`, 'upstream-method': 'GET' },
    }),
  webhooks: (tenant, n) =>
    send(tenant, 'POST', '/api/webhooks', json({ url: `https://hooks.example.com/${n}` })),
};

test.each(Object.entries(KINDS))(
  '%s of one tenant at its limit leave the other its own',
  async (_kind, take) => {
    const made = async (tenant: string) => {
      const statuses: number[] = [];
      for (let n = 0; n <= LIMIT; n++) statuses.push((await take(tenant, n)).status);
      return statuses;
    };
    const full = [...Array<number>(LIMIT).fill(201), 429];
    expect(await made('greedy')).toEqual(full);
    expect(await made('modest')).toEqual(full);
  },
);

test('what a refusal says of the server is what the tenant itself has', async () => {
  for (const take of Object.values(KINDS)) {
    const text = await (await take('greedy', 99)).text();
    expect(text).not.toMatch(/modest|server|all tenants/);
  }
});

test('no tenant sees what the server as a whole does', async () => {
  expect((await send('greedy', 'GET', '/metrics')).status).toBe(403);
  expect(await (await send('greedy', 'GET', '/api/ready')).json()).not.toHaveProperty('attention');
});

test('a tenant that has spent its rate leaves the other its own', async () => {
  const limited = await serveForTest({ auth: 'jwt', jwt: { secret: SECRET }, ratePerMinute: 2 });
  try {
    const ask = async (tenant: string) => {
      const token = await mintToken({ secret: SECRET, tenant, scopes: ['admin'], expiresInSeconds: 600 });
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${limited.url}/v1/proxy`, { method: 'POST', headers })).status;
    };
    expect([await ask('default'), await ask('default'), await ask('default')]).toEqual([400, 400, 429]);
  } finally {
    await limited.stop();
  }
});
