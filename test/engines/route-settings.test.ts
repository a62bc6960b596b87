/** Routes and the tokens for them as an operator sets them up: the command, the configuration, and the start. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantGrant } from '../../src/api/auth/principal.js';
import { signLoginCode } from '../../src/api/auth/signed-login-codes.js';
import type { RouteSetting } from '../../src/proxy/index.js';
import { secretFiles } from '../../src/runtimes/node/server/secrets.js';
import { type ProxyBench, startProxyBench, Upstream } from '../support/proxy-bench.js';
import { folderWith, shareProcess } from './cli-process.js';

const sonde = shareProcess();

describe('sonde token', () => {
  const mint = (...args: string[]) => sonde(['token', ...args], { cwd: folderWith() });

  test.each([
    [['--route', 'chat'], { scope: 'proxy:create', routes: ['chat'] }],
    [
      ['--route', 'chat,embed', '--route', 'chat', '--scope', 'proxy:create,proxy:read'],
      { scope: 'proxy:create proxy:read', routes: ['chat', 'embed'] },
    ],
    [
      ['--route', 'chat', '--path', 'POST /v1/chat/completions', '--path', 'GET /v1/models/*,x'],
      { routes: ['chat'], paths: ['POST /v1/chat/completions', 'GET /v1/models/*,x'] },
    ],
  ])('%j has the claims %j', async (args, claims) => {
    const { code, stdout } = await mint(...args);
    expect([code, decodeJwt(stdout.trim())]).toEqual([
      0,
      expect.objectContaining({ tenant: 'default', ...claims }),
    ]);
  });

  test('without --route there is no claim', async () => {
    const { stdout } = await mint('--scope', 'proxy:create');
    expect(Object.keys(decodeJwt(stdout.trim())).sort()).toEqual(['exp', 'iat', 'scope', 'tenant']);
  });

  test.each([
    [['--route', 'Chat'], '"Chat" is not a route name'],
    [['--route', '*'], '"*" is not a route name'],
    [['--route', 'chat', '--path', '/v1'], 'the path "/v1" is not a method (GET'],
    [['--scope', 'proxy:create', '--path', 'GET /v1'], 'name the routes too'],
    [['--scope', 'proxy:read', '--route', 'chat'], 'need the scope "proxy:create"'],
    [['--scope', 'admin', '--route', 'chat'], 'use "proxy:create" instead'],
    [['--operator', '--route', 'chat'], '--operator cannot be combined'],
    [Array.from({ length: 65 }, (_, index) => ['--route', `r${index}`]).flat(), 'at most 64 names'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await mint(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('a configuration', () => {
  const service = (fields: object) => ({
    auth: { serviceTokens: [{ token: 'x'.repeat(32), tenant: 'acme', scopes: ['proxy:create'], ...fields }] },
  });
  const route = (fields: object) => ({ proxy: { routes: { up: { url: 'https://a.test', ...fields } } } });

  test.each([
    [route({ credential: 'sk-live-123' }), /proxy\.routes\.up\.credential: expected "env:NAME".*"caller"/],
    [
      route({ credential: { acme: 'sk-live-123' } }),
      /proxy\.routes\.up\.credential(?:\.acme)?: expected "env:NAME"/,
    ],
    [
      route({ credential: { Acme: 'env:KEY' } }),
      /proxy\.routes\.up\.credential(?:\.acme)?: expected "env:NAME"/,
    ],
    [
      route({ credential: 'caller', tenants: ['Acme Inc'] }),
      /proxy\.routes\.up\.tenants\["0"\]|tenants\[0\]: expected a tenant/,
    ],
    [route({ credential: 'caller', tenants: [] }), /up\.tenants: expected at least one tenant/],
    [route({ credential: 'caller', paths: ['/v1/chat'] }), /up\.paths\[0\]: expected a method \(GET/],
    [
      route({ credential: 'caller', path: ['GET /v1'] }),
      /proxy\.routes\.up: expected only known fields, without path/,
    ],
    [route({ credential: 'env:KEY', keyHeader: 'x-key' }), /up\.keyHeader: expected one of x-api-key/],
    [
      service({ scopes: ['stream:admin'] }),
      /serviceTokens\[0\]\.scopes\[0\]: expected one of the scopes stream:read, .*admin/,
    ],
    [service({ routes: ['Chat'] }), /serviceTokens\[0\]\.routes\[0\]: expected a route name/],
    [service({ routes: ['chat'], paths: ['chat'] }), /serviceTokens\[0\]\.paths\[0\]: expected a method/],
    [service({ tenant: 'Acme' }), /serviceTokens\[0\]\.tenant: expected a tenant: a slug/],
  ])('%j is refused by name, and what to write', async (config, message) => {
    const cwd = folderWith({ 'sonde.config.json': JSON.stringify(config) });
    const { code, stderr } = await sonde(['config', 'show'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).not.toContain('sk-live');
  });
});

describe('a session', () => {
  let upstream: Upstream;
  let bench: ProxyBench;
  beforeAll(async () => {
    upstream = await Upstream.start();
    const chat = { url: upstream.origin, credential: 'env:KEY', private: true, tenants: ['acme'] };
    bench = await startProxyBench({ upstream, proxy: { routes: { chat }, env: () => 'sk-up' } });
  });
  afterAll(async () => {
    await bench.stop();
    await upstream.listening.close();
  });

  test.each<[string, TenantGrant, number]>([
    ['an administrator', { tenant: 'acme', scopes: new Set(['admin']) }, 200],
    ['another scope', { tenant: 'acme', scopes: new Set(['proxy:create']) }, 403],
    ['the route', { tenant: 'acme', scopes: new Set(['proxy:create']), routes: ['chat'] }, 200],
    ['an administrator of another tenant', { tenant: 'other', scopes: new Set(['admin']) }, 403],
  ])('of %s uses the key of a route: %#', async (_who, grant, status) => {
    upstream.reset();
    const { sessionKey } = await secretFiles(bench.dataDir).auth();
    const login = await fetch(`${bench.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: await signLoginCode(sessionKey, grant, Date.now()) }),
    });
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
    const headers = { cookie, origin: bench.url, 'content-type': 'application/json' };
    const response = await fetch(`${bench.url}/r/chat/x`, { method: 'POST', headers, body: '{}' });
    expect([response.status, upstream.asked.length]).toEqual([status, status === 200 ? 1 : 0]);
    expect(JSON.stringify(upstream.asked)).not.toContain(cookie);
  });
});

describe('the start', () => {
  const env = (name: string) => (name === 'KEY' ? 'sk' : undefined);
  const start = (routes: Record<string, RouteSetting>, more: Parameters<typeof startProxyBench>[0] = {}) =>
    startProxyBench({ ...more, proxy: { routes, env } });
  const up = { url: 'https://a.test', credential: 'env:KEY' };

  test('warns of a key that every tenant can use, and of no other', async () => {
    const bench = await start({
      shared: up,
      rest: { ...up, credential: { acme: 'env:KEY', '*': 'env:KEY' } },
      named: { ...up, tenants: ['acme'] },
      each: { ...up, credential: { acme: 'env:KEY' } },
      theirs: { ...up, credential: 'caller' },
    });
    const warned = bench.lines.filter(
      ({ level, message }) => level === 'warn' && message.includes('tenants'),
    );
    expect(warned.map(({ fields }) => fields['route'])).toEqual(['shared', 'rest']);
    expect(warned[0]?.message).toContain('proxy.routes.shared.tenants');
    await bench.stop();
  });

  test.each<[RouteSetting, string]>([
    [{ ...up, credential: 'env:NONE' }, 'the environment variable NONE is not set'],
    [{ ...up, credential: { acme: 'env:NONE' } }, 'the environment variable NONE is not set'],
    [
      { ...up, tenants: ['acme'], credential: { other: 'env:KEY' } },
      'the tenant "other", which tenants does not name',
    ],
    [{ ...up, tenants: ['acme', 'other'], credential: { acme: 'env:KEY' } }, 'no key for the tenant "other"'],
    [{ ...up, paths: ['GET /a%2fb'] }, 'can never match a request'],
    [{ ...up, credential: 'caller', keyHeader: 'api-key' }, 'keyHeader is for a key of this server'],
  ])('with %j is refused', async (setting, message) => {
    await expect(start({ it: setting })).rejects.toMatchObject({
      code: 'CONFIG_INVALID_VALUE',
      message: expect.stringMatching(new RegExp(`^proxy\\.routes\\.it: .*${message}`)),
    });
  });

  test.each([
    [{ paths: ['GET /v1'] }, 'name the routes too'],
    [{ routes: ['chat'], scopes: ['stream:read'] }, 'need the scope "proxy:create"'],
    [{ routes: ['chat'], scopes: ['admin'] }, 'cannot limit the scope "admin"'],
  ])('with a service token with %j is refused', async (fields, message) => {
    const token = { token: 'x'.repeat(32), tenant: 'acme', scopes: ['proxy:create'], ...fields };
    await expect(start({}, { serviceTokens: [token] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID_VALUE',
      message: expect.stringMatching(new RegExp(`^auth\\.serviceTokens: token 1: .*${message}`)),
    });
  });
});
