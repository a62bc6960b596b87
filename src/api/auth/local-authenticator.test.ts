import { describe, expect, test } from 'vitest';
import { appForTests, errorOf } from '../../../test/support/app-for-tests.js';
import { SCOPES } from '../../scopes.js';
import { createLocalAuthenticator } from './local-authenticator.js';
import { isLoopbackHost } from './loopback-host.js';

const { app } = appForTests({ authenticator: createLocalAuthenticator(['http://listed.test']) });
app.get('/who', (c) => c.json({ ...c.var.principal, scopes: [...(c.var.principal?.scopes ?? [])] }));

const send = (headers: Record<string, string>, host = '127.0.0.1:4747') =>
  app.request(`http://${host}/who`, { headers: { host, ...headers } });

test('every caller is tenant default with every scope', async () => {
  expect(await (await send({})).json()).toEqual({ tenant: 'default', scopes: [...SCOPES], via: 'none' });
});

describe('allows', () => {
  test.each([
    ['no origin', {}],
    ['its own origin', { origin: 'http://127.0.0.1:4747' }],
    ['a listed origin', { origin: 'http://listed.test' }],
    ['a link from another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['its own page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['its own page, identified only by its Referer', { referer: 'http://127.0.0.1:4747/docs' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
  ])('%s', async (_name, headers) => {
    expect((await send(headers)).status).toBe(200);
  });
});

const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

describe('a page of another site cannot', () => {
  test.each([
    ['follow a link to a route', '/r/openai/v1/models', LINK],
    ['follow a link to the probe', '/api/probe?url=http://localhost/', LINK],
    ['follow a link to a stream', '/v1/stream/mine', LINK],
    ['follow a link to the metrics', '/metrics', LINK],
    ['frame a page', '/', { ...LINK, 'sec-fetch-dest': 'iframe' }],
    ['follow a link from another port of this host', '/r/x/', { ...LINK, 'sec-fetch-site': 'same-site' }],
    ['follow a link with an Origin, which links never send', '/', { ...LINK, origin: 'http://evil.test' }],
    ['load a page in the background', '/', { ...LINK, 'sec-fetch-mode': 'cors' }],
    ['load an image, identified only by its Referer', '/r/x/', { referer: 'http://evil.test/' }],
  ])('%s', async (_name, path, headers) => {
    const host = '127.0.0.1:4747';
    const response = await app.request(`http://${host}${path}`, { headers: { host, ...headers } });
    expect([response.status, (await errorOf(response))['code']]).toEqual([403, 'ORIGIN_REFUSED']);
  });

  test('a page of another site may only link to pages', async () => {
    const host = '127.0.0.1:4747';
    const send = async (method: string) =>
      (await app.request(`http://${host}/`, { method, headers: { host, ...LINK } })).status;
    expect([await send('GET'), await send('HEAD'), await send('POST')]).toEqual([200, 200, 403]);
  });
});

describe('refuses on every route', () => {
  test.each([
    ['a rebound name', {}, 'evil.test'],
    ['a rebound name behind an absolute target', { host: 'evil.test' }, '127.0.0.1:4747'],
    ['a loopback Host behind a foreign absolute target', { host: '127.0.0.1' }, 'evil.test'],
    ['a foreign origin', { origin: 'http://evil.test' }, '127.0.0.1:4747'],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }, '127.0.0.1:4747'],
    ['a sandboxed page', { origin: 'null' }, '127.0.0.1:4747'],
    [
      'an image on another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      '127.0.0.1:4747',
    ],
    [
      'an image on a page of another port',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
      '127.0.0.1:4747',
    ],
  ])('%s', async (_name, headers, host) => {
    const response = await send(headers, host);
    expect([response.status, (await errorOf(response))['code']]).toEqual([403, 'ORIGIN_REFUSED']);
    expect((await app.request(`http://${host}/api/health`, { headers: { host, ...headers } })).status).toBe(
      403,
    );
  });
});

test.each([
  ['localhost', true],
  ['localhost:80', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.9.8.7:65535', true],
  ['[::1]:4747', true],
  ['0x7f.1', true],
  ['localhost.evil.test', false],
  ['127.0.0.1.evil.test', false],
  ['evil@localhost', false],
  ['0.0.0.0', false],
  ['[::]', false],
  ['10.0.0.1', false],
  ['', false],
])('host %s: loopback is %s', (host, loopback) => {
  expect(isLoopbackHost(host)).toBe(loopback);
});
