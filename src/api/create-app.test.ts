import { describe, expect, test } from 'vitest';
import { appForTests, errorOf, SERVICE_TOKEN } from '../../test/support/app-for-tests.js';
import { Bench } from '../../test/support/subscription-bench.js';
import { SondeError } from '../errors.js';
import type { AppDeps } from './app-env.js';

const json = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

describe('operation', () => {
  test('health responds while the process is alive', async () => {
    const response = await appForTests().app.request('/api/health');
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', version: '1.2.3' }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('ready names each check', async () => {
    const works = {
      name: 'store',
      stops: ['streams'],
      check: async () => undefined,
      notes: () => ['a damaged stream'],
    };
    const fails = {
      name: 'worker',
      stops: ['jobs', 'audits'],
      check: () => Promise.reject(new Error('password is hunter2')),
    };
    const ok = { name: 'store', state: 'ok', stops: ['streams'] };
    const good = await appForTests({ readiness: [works] }).app.request('/api/ready');
    expect([good.status, await good.json()]).toEqual([
      200,
      {
        status: 'ready',
        version: '1.2.3',
        passed: ['store'],
        failed: [],
        dependencies: [ok],
        attentionCount: 1,
      },
    ]);
    const { app, lines } = appForTests({ readiness: [works, fails] });
    const bad = await app.request('/api/ready');
    expect(bad.status).toBe(503);
    expect(await errorOf(bad)).toEqual({
      code: 'NOT_READY',
      message: 'Failed checks: worker (see the log).',
      passed: ['store'],
      failed: ['worker'],
      dependencies: [
        ok,
        { name: 'worker', state: 'failed', stops: ['jobs', 'audits'], fault: 'see the log' },
      ],
    });
    expect([bad.headers.get('retry-after'), bad.headers.get('cache-control')]).toEqual(['5', 'no-store']);
    expect(lines.find(({ message }) => message === 'readiness check failed')?.fields['check']).toBe('worker');
  });

  test('ready fails while the server stops; health does not', async () => {
    const { app } = appForTests({ stopping: () => true });
    const response = await app.request('/api/ready');
    expect([response.status, (await errorOf(response))['code']]).toEqual([503, 'SERVER_STOPPING']);
    expect((await app.request('/api/health')).status).toBe(200);
  });

  test('ready lists items that need attention only for operators, up to a limit', async () => {
    const damaged = Array.from({ length: 150 }, (_, n) => `stream/acme/${n}`);
    const store = { name: 'store', stops: [], check: async () => undefined, notes: () => damaged };
    const { app, token, operatorToken } = appForTests({ readiness: [store] });
    const ready = async (bearer: string) =>
      (await app.request('/api/ready', { headers: { authorization: `Bearer ${bearer}` } })).json();
    expect(await ready(await token('admin'))).not.toHaveProperty('attention');
    expect(await ready(await operatorToken())).toMatchObject({
      attentionCount: 150,
      attention: damaged.slice(0, 100),
    });
  });

  test('metrics need the scope operator, unless only this machine can reach the server', async () => {
    const { app: closed, operatorToken } = appForTests();
    expect((await closed.request('/metrics')).status).toBe(401);
    const asAdmin = await closed.request('/metrics', {
      headers: { authorization: `Bearer ${SERVICE_TOKEN}` },
    });
    expect([asAdmin.status, (await errorOf(asAdmin))['scope']]).toEqual([403, 'operator']);
    const response = await closed.request('/metrics', {
      headers: { authorization: `Bearer ${await operatorToken()}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const local = appForTests({ localOnly: true }).app;
    expect((await local.request('http://127.0.0.1:1/metrics')).status).toBe(200);
    expect((await local.request('http://rebound.test/metrics')).status).toBe(401);
  });

  test('HEAD responds like GET, without a body', async () => {
    const response = await appForTests().app.request('/api/health', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('errors', () => {
  test('an unknown path gets 404', async () => {
    const response = await appForTests().app.request('/nothing');
    expect([response.status, (await errorOf(response))['code']]).toEqual([404, 'NOT_FOUND']);
  });

  test('an unsupported method gets 405 with the list of methods', async () => {
    const { app } = appForTests();
    const response = await app.request('/api/session', { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([
      405,
      'GET, POST, DELETE, HEAD, OPTIONS',
    ]);
    expect((await app.request('/', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test.each([
    ['/v1/stream/__ds/subscriptions/one', 'PATCH', 'PUT, GET, DELETE, HEAD, OPTIONS'],
    ['/v1/stream/__ds/subscriptions/one/claim', 'DELETE', 'POST, OPTIONS'],
    ['/v1/stream/__ds/subscriptions/one/claim', 'PATCH', 'POST, OPTIONS'],
    ['/v1/stream/__ds/jwks.json', 'POST', 'GET, HEAD, OPTIONS'],
    ['/v1/stream/__ds/nothing', 'PATCH', null],
    ['/v1/stream/a/b', 'PATCH', 'GET, POST, PUT, DELETE, HEAD, OPTIONS'],
    ['/r/up/x', 'PURGE', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ])('%s with %s allows %s', async (path, method, allowed) => {
    const { streams, service: subscriptions } = new Bench();
    const proxy = { routes: new Map() } as unknown as NonNullable<AppDeps['proxy']>;
    const { app } = appForTests({ streams, subscriptions, proxy });
    const response = await app.request(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([allowed === null ? 404 : 405, allowed]);
  });

  test('refuses a GET or HEAD with a body unless it is empty', async () => {
    const { app } = appForTests();
    const send = (length: string, method = 'GET') =>
      app.request('/api/health', { method, headers: { 'content-length': length } });
    expect(await errorOf(await send('2'))).toEqual({
      code: 'INVALID_REQUEST',
      message: 'A GET request must not have a body.',
      field: 'body',
    });
    expect((await send('2', 'HEAD')).status).toBe(400);
    expect((await send('0')).status).toBe(200);
  });

  test.each([
    ['Error', () => new Error('secret text')],
    ['string', () => 'secret text'],
    ['undefined', () => undefined],
  ])('a thrown %s gets 500 INTERNAL without its text, which is logged', async (_name, thrown) => {
    const { app, lines } = appForTests();
    app.get('/throws', () => {
      throw thrown();
    });
    const response = await app.request('/throws', { headers: { 'x-request-id': 'request-1234' } });
    expect(response.status).toBe(500);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const body = await response.text();
    expect(body).toContain('"code":"INTERNAL"');
    expect(body).not.toContain('secret text');
    const line = lines.find(({ level }) => level === 'error');
    expect(line?.fields['requestId']).toBe('request-1234');
    const cause = line?.fields['err'] as Error | undefined;
    if (thrown() !== undefined) expect(String(cause?.cause ?? cause)).toContain('secret text');
  });

  test('a coded error keeps its details, and they cannot replace code or message', async () => {
    const { app } = appForTests();
    app.get('/coded', () => {
      throw new SondeError('FORBIDDEN', 'No.', { details: { code: 'x', message: 'y', scope: 'admin' } });
    });
    expect(await errorOf(await app.request('/coded'))).toEqual({
      code: 'FORBIDDEN',
      message: 'No.',
      scope: 'admin',
    });
  });
});

describe('validation', () => {
  const post = (body: string, headers?: Record<string, string>) =>
    appForTests({ limits: { bodyBytesMax: 4096 } }).app.request('/api/session', json(body, headers));

  test.each([
    ['{}', 'body.code', 'must be of type string'],
    ['{"code":7}', 'body.code', 'must be of type string'],
    ['{"code":""}', 'body.code', 'must be at least 1 characters long'],
    [`{"code":"${'x'.repeat(1025)}"}`, 'body.code', 'must be at most 1024 characters long'],
    ['{"code":"x","more":1}', 'body.more', 'is not a known field'],
    ['[]', 'body', 'must be of type object'],
  ])('%s names the field and what is allowed', async (body, field, allowed) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'INVALID_REQUEST', field, allowed });
  });

  test('refuses a body that is not JSON or not sent as JSON', async () => {
    expect(await errorOf(await post('{"code":'))).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await errorOf(await post('code=x', { 'content-type': 'text/plain' }))).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
  });
});

describe('every response', () => {
  test.each(['/', '/openapi.json', '/api/health', '/nothing', '/metrics'])(
    '%s carries the security headers',
    async (path) => {
      const { headers } = await appForTests().app.request(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    },
  );

  test('carries a request id: keeps a plain one and replaces any other', async () => {
    const { app } = appForTests();
    const idFor = async (given: string) =>
      (await app.request('/api/health', { headers: { 'x-request-id': given } })).headers.get('x-request-id');
    expect(await idFor('trace-0123.abc_D')).toBe('trace-0123.abc_D');
    for (const odd of ['short', 'x'.repeat(129), 'has space in it', '<script>alert']) {
      expect(await idFor(odd)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
