import { expect, test } from 'vitest';
import { appForTests, EVERYTHING, errorOf } from '../../../test/support/app-for-tests.js';

const login = (code: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: JSON.stringify({ code }),
  headers: { 'content-type': 'application/json', ...headers },
});

test('a code opens a session with a strict cookie, once', async () => {
  const { app, codes, clock } = appForTests();
  const code = codes.issue(EVERYTHING);
  const response = await app.request(
    'http://sonde.test/api/session',
    login(code, { origin: 'http://sonde.test' }),
  );
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    tenant: 'default',
    scopes: [...EVERYTHING.scopes],
    expiresAt: new Date(clock.ms + 12 * 3_600_000).toISOString(),
  });
  const cookie = response.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^sonde_session=[\w.-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  const metrics = await app.request('http://sonde.test/metrics', {
    headers: { cookie: cookie.split(';')[0] ?? '' },
  });
  expect(metrics.status).toBe(200);
  const again = await app.request('http://sonde.test/api/session', login(code));
  expect([again.status, (await errorOf(again))['code']]).toEqual([401, 'INVALID_LOGIN_CODE']);
});

const HTTPS = { 'x-forwarded-proto': 'https' };

test.each([
  {
    name: 'an https request',
    base: 'https://sonde.test',
    headers: {},
    peerAddress: '192.0.2.1',
    secure: true,
  },
  {
    name: 'a trusted proxy',
    base: 'http://sonde.test',
    headers: HTTPS,
    peerAddress: '10.0.0.1',
    secure: true,
  },
  {
    name: 'an untrusted peer',
    base: 'http://sonde.test',
    headers: HTTPS,
    peerAddress: '192.0.2.1',
    secure: false,
  },
  {
    name: 'an http request',
    base: 'http://sonde.test',
    headers: {},
    peerAddress: '192.0.2.1',
    secure: false,
  },
])('$name: Secure is $secure', async ({ base, headers, peerAddress, secure }) => {
  const { app, codes } = appForTests();
  const init = login(codes.issue(EVERYTHING), headers);
  const response = await app.request(`${base}/api/session`, init, { peerAddress });
  expect((response.headers.get('set-cookie') ?? '').includes('Secure')).toBe(secure);
});

test('another origin can neither log a visitor in nor out', async () => {
  const { app, codes } = appForTests();
  const foreign = { origin: 'http://evil.test' };
  const refusedLogin = await app.request('/api/session', login(codes.issue(EVERYTHING), foreign));
  expect((await errorOf(refusedLogin))['code']).toBe('ORIGIN_REFUSED');
  const refusedLogout = await app.request('/api/session', { method: 'DELETE', headers: foreign });
  expect((await errorOf(refusedLogout))['code']).toBe('ORIGIN_REFUSED');
});

test('logging out deletes the cookie', async () => {
  const response = await appForTests().app.request('/api/session', { method: 'DELETE' });
  expect(response.status).toBe(204);
  expect(response.headers.get('set-cookie')).toBe(
    'sonde_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
  );
});

test('logging out ends only that session, for every copy of its cookie', async () => {
  const { app, sessions } = appForTests();
  const [cookie, other] = await Promise.all(
    ['sonde_session', 'sonde_session'].map(async (name) => `${name}=${await sessions.mint(EVERYTHING)}`),
  );
  const origin = 'http://sonde.test';
  const getMetrics = (cookie = '') => app.request(`${origin}/metrics`, { headers: { cookie } });
  const logOut = (cookie = '') =>
    app.request(`${origin}/api/session`, { method: 'DELETE', headers: { cookie, origin } });
  expect((await getMetrics(cookie)).status).toBe(200);
  expect((await logOut(cookie)).status).toBe(204);
  const refused = await getMetrics(cookie);
  expect([refused.status, (await errorOf(refused))['reason']]).toEqual([401, 'logged_out']);
  expect((await getMetrics(other)).status).toBe(200);
  // Logging out again, or without a valid session, also succeeds.
  expect([(await logOut(cookie)).status, (await logOut('sonde_session=x')).status]).toEqual([204, 204]);
});

test('without authentication there is no login', async () => {
  const { app } = appForTests({ login: undefined as never });
  expect((await app.request('/api/session', login('x'))).status).toBe(404);
});
