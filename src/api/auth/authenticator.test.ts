import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  appForTests,
  EVERYTHING,
  errorOf,
  JWT_SECRET,
  rememberedSessions,
  SERVICE_TOKEN,
} from '../../../test/support/app-for-tests.js';
import { mintToken } from './mint-token.js';
import { demandOperator, demandScope, demandTenant, isOperator, requireScope } from './require-scope.js';
import { createSessionTokens, SESSION_SECONDS } from './session-tokens.js';

function guarded() {
  const context = appForTests();
  context.app.get('/guarded', requireScope('audit:read'), (c) => c.json(c.var.principal?.tenant));
  context.app.post('/guarded', (c) => c.json(demandScope(c, 'audit:read').via));
  context.app.patch('/guarded', (c) => c.json(demandTenant(c).tenant));
  context.app.delete('/guarded', (c) => {
    demandOperator(c);
    return c.json(isOperator(c));
  });
  context.app.put('/guarded', (c) => c.json([...demandScope(c, 'audit:read').scopes]));
  const send = (headers: Record<string, string>, method = 'GET') =>
    context.app.request('http://sonde.test/guarded', { method, headers });
  return { ...context, send };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (token: string) => ({ cookie: `other=1; sonde_session=${token}` });

describe('bearer credentials', () => {
  test('a JWT with the scope passes', async () => {
    const { send, token } = guarded();
    const response = await send(bearer(await token('audit:read')));
    expect([response.status, await response.json()]).toEqual([200, 'acme']);
  });

  test('a request without a credential gets 401 MISSING_SECRET and a challenge', async () => {
    const { send } = guarded();
    for (const headers of [{}, { authorization: 'Basic abc' }, { authorization: 'Bearer ' }]) {
      const response = await send(headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect((await errorOf(response))['code']).toBe('MISSING_SECRET');
    }
  });

  test('an invalid credential gets 401 INVALID_SECRET and is not repeated', async () => {
    const { send, lines } = guarded();
    const response = await send(bearer('my-secret-guess'));
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(await errorOf(response)).toMatchObject({ code: 'INVALID_SECRET', reason: 'malformed' });
    expect(JSON.stringify(lines)).not.toContain('my-secret-guess');
  });

  test('admin covers every scope of its tenant', async () => {
    const { send } = guarded();
    expect((await send(bearer(SERVICE_TOKEN))).status).toBe(200);
  });

  test('an operator token cannot access a tenant, and a tenant token never grants operator', async () => {
    const { send, operatorToken, clock } = guarded();
    const response = await send(bearer(await operatorToken()));
    expect([response.status, (await errorOf(response))['code']]).toEqual([403, 'FORBIDDEN']);
    const forged = await new SignJWT({ tenant: 'acme', scope: 'audit:read operator' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(clock.ms / 1000 + 60)
      .sign(new TextEncoder().encode(JWT_SECRET));
    const scopes = await send(bearer(forged), 'PUT');
    expect(await scopes.json()).toEqual(['audit:read']);
  });

  test('tenant routes refuse operator tokens, operator routes refuse tenant tokens, and the error says why', async () => {
    const { send, operatorToken, token } = guarded();
    const [operator, tenant] = [bearer(await operatorToken()), bearer(await token('stream:read'))];
    expect(await (await send(tenant, 'PATCH')).json()).toBe('acme');
    expect(await errorOf(await send(operator, 'PATCH'))).toMatchObject({
      code: 'FORBIDDEN',
      message: "This operation needs a tenant's credential; this one is for operators only.",
    });
    expect(await (await send(operator, 'DELETE')).json()).toBe(true);
    expect(await errorOf(await send(tenant, 'DELETE'))).toMatchObject({
      code: 'FORBIDDEN',
      scope: 'operator',
    });
  });

  test('a missing scope gets 403 FORBIDDEN, which names the scope', async () => {
    const { send, token } = guarded();
    expect(await errorOf(await send(bearer(await token('stream:read'))))).toMatchObject({
      code: 'FORBIDDEN',
      scope: 'audit:read',
    });
  });

  test('an unknown tenant gets 403 FORBIDDEN', async () => {
    const { send, clock } = guarded();
    const token = await mintToken({
      secret: JWT_SECRET,
      tenant: 'nobody',
      scopes: ['audit:read'],
      expiresInSeconds: 60,
      nowMs: clock.ms,
    });
    const response = await send(bearer(token));
    expect([response.status, (await errorOf(response))['code']]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('the session cookie', () => {
  test('authorizes reads, and writes only from our own origin', async () => {
    const { send, sessions } = guarded();
    const session = cookie(await sessions.mint(EVERYTHING));
    expect((await send(session)).status).toBe(200);
    const own = await send({ ...session, origin: 'http://sonde.test' }, 'POST');
    expect([own.status, await own.json()]).toEqual([200, 'session']);
    for (const origin of ['http://evil.test', 'http://sonde.test:8080', 'https://sonde.test', 'null']) {
      expect(await errorOf(await send({ ...session, origin }, 'POST'))).toMatchObject({
        code: 'ORIGIN_REFUSED',
      });
    }
    expect((await send(session, 'POST')).status).toBe(403);
  });

  test('is refused in requests from other origins, including same-site ones', async () => {
    const { send, sessions } = guarded();
    const session = cookie(await sessions.mint(EVERYTHING));
    for (const site of ['same-site', 'cross-site']) {
      const response = await send({ ...session, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' });
      expect((await errorOf(response))['code']).toBe('ORIGIN_REFUSED');
    }
    expect((await send({ ...session, origin: 'http://sonde.test:8080' })).status).toBe(403);
    expect((await send({ ...session, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test('a bearer token needs no origin', async () => {
    const { send, token } = guarded();
    expect(
      (await send({ ...bearer(await token('audit:read')), origin: 'http://else.test' }, 'POST')).status,
    ).toBe(200);
  });

  test('a session is not accepted as a bearer token, nor a bearer token as a session', async () => {
    const { send, sessions, token } = guarded();
    expect((await send(bearer(await sessions.mint(EVERYTHING)))).status).toBe(401);
    expect(await errorOf(await send(cookie(await token('audit:read'))))).toMatchObject({
      code: 'INVALID_SECRET',
    });
    const sameKey = createSessionTokens(JWT_SECRET, { clock: Date.now, revoked: rememberedSessions() });
    expect((await send(bearer(await sameKey.mint(EVERYTHING)))).status).toBe(401);
  });

  test('expires', async () => {
    const { send, sessions, clock } = guarded();
    const session = cookie(await sessions.mint(EVERYTHING));
    clock.ms += (SESSION_SECONDS + 31) * 1000;
    expect(await errorOf(await send(session))).toMatchObject({ code: 'INVALID_SECRET', reason: 'expired' });
  });
});

test('a credential of 8192 characters is parsed and a longer one is refused', async () => {
  const { send } = guarded();
  const reasonOf = async (chars: number) => (await errorOf(await send(bearer('x'.repeat(chars)))))['reason'];
  expect([await reasonOf(8192), await reasonOf(8193)]).toEqual(['malformed', 'too_long']);
});

test.each([
  ['GET', 200],
  ['HEAD', 200],
  ['POST', 403],
  ['PUT', 403],
])('with a session cookie and no Origin, %s gets %i', async (method, status) => {
  const { send, sessions } = guarded();
  expect((await send(cookie(await sessions.mint(EVERYTHING)), method)).status).toBe(status);
});
