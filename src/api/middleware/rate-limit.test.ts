import { expect, test } from 'vitest';
import { appForTests, errorOf, JWT_SECRET } from '../../../test/support/app-for-tests.js';
import { Bench } from '../../../test/support/subscription-bench.js';
import { createRateLimiter } from '../../kernel/rate-limit.js';
import type { AppDeps } from '../app-env.js';
import { mintToken } from '../auth/mint-token.js';

type Proxy = NonNullable<AppDeps['proxy']>;

const limited = (ratePerMinute: number) => appForTests({ ratePerMinute });

test('requests beyond the limit get 429 until the bucket has refilled', async () => {
  const { app, clock } = limited(2);
  const send = () => app.request('/', {}, { peerAddress: '192.0.2.1' });
  const first = await send();
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=2;w=60');
  expect(first.headers.get('ratelimit')).toBe('"default";r=1;t=30');
  expect((await send()).status).toBe(200);
  const refused = await send();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(refused.headers.get('ratelimit')).toBe('"default";r=0;t=60');
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect(await errorOf(refused)).toMatchObject({ code: 'RATE_LIMITED', perMinute: 2, retryAfterSeconds: 30 });
  clock.ms += 29_999;
  expect((await send()).status).toBe(429);
  clock.ms += 1;
  expect((await send()).status).toBe(200);
});

test('a tenant has one bucket for all its addresses; unidentified callers have one per address', async () => {
  const { app, token } = limited(1);
  const headers = { authorization: `Bearer ${await token('admin')}` };
  const from = (peerAddress: string, init: RequestInit = {}) => app.request('/', init, { peerAddress });
  expect((await from('192.0.2.1', { headers })).status).toBe(200);
  expect((await from('192.0.2.2', { headers })).status).toBe(429);
  expect((await from('192.0.2.2')).status).toBe(200);
  expect((await from('192.0.2.2')).status).toBe(429);
  expect((await from('192.0.2.3')).status).toBe(200);
});

test('tenants and the operator have separate limits', async () => {
  const { app, clock, token, operatorToken } = limited(1);
  const other = { tenant: 'globex', scopes: ['admin'], expiresInSeconds: 60, nowMs: clock.ms };
  const send = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` };
    return (await app.request('/', { headers }, { peerAddress: '192.0.2.1' })).status;
  };
  const callers = [
    await token('admin'),
    await mintToken({ secret: JWT_SECRET, ...other }),
    await operatorToken(),
  ];
  for (const caller of callers) expect(await send(caller)).toBe(200);
  for (const caller of callers) expect(await send(caller)).toBe(429);
});

test('a tenant of any name does not share the bucket of the operator', () => {
  const limiter = createRateLimiter(1, () => 0);
  const isRefused = (tenant: string | null) =>
    limiter.take({ principal: { tenant }, address: '192.0.2.1' }).refusal !== undefined;
  expect([null, 'null', 'operator', null].map(isRefused)).toEqual([false, false, false, true]);
});

test("invalid tokens count for the caller's address", async () => {
  const { app } = limited(1);
  const guess = (token: string) =>
    app.request('/metrics', { headers: { authorization: `Bearer ${token}` } }, { peerAddress: '192.0.2.9' });
  expect((await guess('a')).status).toBe(401);
  expect((await guess('b')).status).toBe(429);
});

test('IPv6 callers are counted per /64, mapped IPv4 addresses as IPv4', async () => {
  const { app } = limited(1);
  const from = async (peerAddress: string) => (await app.request('/', {}, { peerAddress })).status;
  expect(await from('2001:db8:0:1::1')).toBe(200);
  expect(await from('2001:db8::1:ffff:0:0:2')).toBe(429);
  expect(await from('2001:db8:0:2::1')).toBe(200);
  expect(await from('192.0.2.1')).toBe(200);
  expect(await from('::ffff:192.0.2.1')).toBe(429);
});

test('health, readiness and preflights are exempt, and 0 means no limit', async () => {
  const { app } = limited(1);
  await app.request('/');
  for (const path of ['/api/health', '/api/ready']) {
    for (let i = 0; i < 3; i += 1) expect((await app.request(path)).status).toBe(200);
  }
  expect((await app.request('/', { method: 'OPTIONS' })).status).toBe(204);
  const free = limited(0).app;
  for (let i = 0; i < 50; i += 1) expect((await free.request('/')).headers.get('ratelimit')).toBeNull();
});

test('behind a proxy, unidentified callers are counted by address, ignoring the port', async () => {
  const { app } = limited(1);
  const from = async (forwardedFor: string) => {
    const headers = { 'x-forwarded-for': forwardedFor };
    return (await app.request('/', { headers }, { peerAddress: '10.0.0.1' })).status;
  };
  expect(await from('203.0.113.9:1001')).toBe(200);
  expect(await from('203.0.113.9:1002')).toBe(429);
  expect(await from('203.0.113.9')).toBe(429);
  expect(await from('[2001:db8::1]:1001')).toBe(200);
  expect(await from('[2001:db8::1]:1002')).toBe(429);
  expect(await from('2001:db8::1')).toBe(429);
});

test('requests that make the server send one count for identified callers; reads and appends do not', async () => {
  const { streams } = new Bench();
  const proxy = { routes: new Map(), verifySignature: () => undefined } as Partial<Proxy> as Proxy;
  for (const [method, path, counts] of [
    ['POST', '/v1/proxy', true],
    ['POST', '/v1/proxy/', true],
    ['GET', '/r/openai/v1/models', true],
    ['POST', '/r/openai/v1/chat', true],
    ['PATCH', '/v1/proxy/some-id', false],
    ['POST', '/v1/stream/a', false],
  ] as const) {
    const { app, token } = appForTests({ ratePerMinute: 1, streams, proxy });
    const headers = { authorization: `Bearer ${await token('admin')}` };
    const send = () => app.request(path, { method, headers }, { peerAddress: '192.0.2.1' });
    await send();
    expect([path, (await send()).status === 429]).toEqual([path, counts]);
    const stranger = () => app.request(path, { method }, { peerAddress: '192.0.2.2' });
    await stranger();
    expect([path, (await stranger()).status]).toEqual([path, 429]);
  }
});
