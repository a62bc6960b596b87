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
  const made = appForTests();
  made.app.get('/guarded', requireScope('audit:read'), (c) => c.json(c.var.principal?.tenant));
  made.app.post('/guarded', (c) => c.json(demandScope(c, 'audit:read').via));
  made.app.patch('/guarded', (c) => c.json(demandTenant(c).tenant));
  made.app.delete('/guarded', (c) => {
    demandOperator(c);
    return c.json(isOperator(c));
  });
  made.app.put('/guarded', (c) => c.json([...demandScope(c, 'audit:read').scopes]));
  const ask = (headers: Record<string, string>, method = 'GET') =>
    made.app.request('http://sonde.test/guarded', { method, headers });
  return { ...made, ask };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (token: string) => ({ cookie: `other=1; sonde_session=${token}` });

describe('bearer credentials', () => {
  test('a JWT with the scope passes', async () => {
    const { ask, token } = guarded();
    const response = await ask(bearer(await token('audit:read')));
    expect([response.status, await response.json()]).toEqual([200, 'acme']);
  });

  test('none is 401 MISSING_SECRET, with a challenge', async () => {
    const { ask } = guarded();
    for (const headers of [{}, { authorization: 'Basic abc' }, { authorization: 'Bearer ' }]) {
      const response = await ask(headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect((await errorOf(response))['code']).toBe('MISSING_SECRET');
    }
  });

  test('a bad one is 401 INVALID_SECRET and is not repeated', async () => {
    const { ask, lines } = guarded();
    const response = await ask(bearer('my-secret-guess'));
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(await errorOf(response)).toMatchObject({ code: 'INVALID_SECRET', reason: 'malformed' });
    expect(JSON.stringify(lines)).not.toContain('my-secret-guess');
  });

  test('admin covers every scope of its tenant', async () => {
    const { ask } = guarded();
    expect((await ask(bearer(SERVICE_TOKEN))).status).toBe(200);
  });

  test("an operator's token opens nothing of a tenant, and a tenant's token never is an operator's", async () => {
    const { ask, operatorToken, clock } = guarded();
    const response = await ask(bearer(await operatorToken()));
    expect([response.status, (await errorOf(response))['code']]).toEqual([403, 'FORBIDDEN']);
    const forged = await new SignJWT({ tenant: 'acme', scope: 'audit:read operator' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(clock.ms / 1000 + 60)
      .sign(new TextEncoder().encode(JWT_SECRET));
    const scopes = await ask(bearer(forged), 'PUT');
    expect(await scopes.json()).toEqual(['audit:read']);
  });

  test("what needs a tenant, and what needs the operator, refuses the other's token and says why", async () => {
    const { ask, operatorToken, token } = guarded();
    const [operator, tenant] = [bearer(await operatorToken()), bearer(await token('stream:read'))];
    expect(await (await ask(tenant, 'PATCH')).json()).toBe('acme');
    expect(await errorOf(await ask(operator, 'PATCH'))).toMatchObject({
      code: 'FORBIDDEN',
      message: "This operation needs a tenant's credential; this one is for operators only.",
    });
    expect(await (await ask(operator, 'DELETE')).json()).toBe(true);
    expect(await errorOf(await ask(tenant, 'DELETE'))).toMatchObject({
      code: 'FORBIDDEN',
      scope: 'operator',
    });
  });

  test('a missing scope is 403 FORBIDDEN and named', async () => {
    const { ask, token } = guarded();
    expect(await errorOf(await ask(bearer(await token('stream:read'))))).toMatchObject({
      code: 'FORBIDDEN',
      scope: 'audit:read',
    });
  });

  test('an unknown tenant is 403 FORBIDDEN', async () => {
    const { ask, clock } = guarded();
    const token = await mintToken({
      secret: JWT_SECRET,
      tenant: 'nobody',
      scopes: ['audit:read'],
      expiresInSeconds: 60,
      nowMs: clock.ms,
    });
    const response = await ask(bearer(token));
    expect([response.status, (await errorOf(response))['code']]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('the session cookie', () => {
  test('is a credential for reading, and for changing from our own origin only', async () => {
    const { ask, sessions } = guarded();
    const session = cookie(await sessions.mint(EVERYTHING));
    expect((await ask(session)).status).toBe(200);
    const own = await ask({ ...session, origin: 'http://sonde.test' }, 'POST');
    expect([own.status, await own.json()]).toEqual([200, 'session']);
    for (const origin of ['http://evil.test', 'http://sonde.test:8080', 'https://sonde.test', 'null']) {
      expect(await errorOf(await ask({ ...session, origin }, 'POST'))).toMatchObject({
        code: 'ORIGIN_REFUSED',
      });
    }
    expect((await ask(session, 'POST')).status).toBe(403);
  });

  test('does not count on requests of other origins, same-site ones included', async () => {
    const { ask, sessions } = guarded();
    const session = cookie(await sessions.mint(EVERYTHING));
    for (const site of ['same-site', 'cross-site']) {
      const response = await ask({ ...session, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' });
      expect((await errorOf(response))['code']).toBe('ORIGIN_REFUSED');
    }
    expect((await ask({ ...session, origin: 'http://sonde.test:8080' })).status).toBe(403);
    expect((await ask({ ...session, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test('a bearer token needs no origin', async () => {
    const { ask, token } = guarded();
    expect(
      (await ask({ ...bearer(await token('audit:read')), origin: 'http://else.test' }, 'POST')).status,
    ).toBe(200);
  });

  test('a session is no bearer token and a bearer token no session', async () => {
    const { ask, sessions, token } = guarded();
    expect((await ask(bearer(await sessions.mint(EVERYTHING)))).status).toBe(401);
    expect(await errorOf(await ask(cookie(await token('audit:read'))))).toMatchObject({
      code: 'INVALID_SECRET',
    });
    const sameKey = createSessionTokens(JWT_SECRET, { clock: Date.now, revoked: rememberedSessions() });
    expect((await ask(bearer(await sameKey.mint(EVERYTHING)))).status).toBe(401);
  });

  test('expires', async () => {
    const { ask, sessions, clock } = guarded();
    const session = cookie(await sessions.mint(EVERYTHING));
    clock.ms += (SESSION_SECONDS + 31) * 1000;
    expect(await errorOf(await ask(session))).toMatchObject({ code: 'INVALID_SECRET', reason: 'expired' });
  });
});

test('a credential is measured: one of the longest is read, one beyond that is not', async () => {
  const { ask } = guarded();
  const reasonOf = async (chars: number) => (await errorOf(await ask(bearer('x'.repeat(chars)))))['reason'];
  expect([await reasonOf(8192), await reasonOf(8193)]).toEqual(['malformed', 'too_long']);
});

test.each([
  ['GET', 200],
  ['HEAD', 200],
  ['POST', 403],
  ['PUT', 403],
])('with a session cookie and no Origin, %s is %i', async (method, status) => {
  const { ask, sessions } = guarded();
  expect((await ask(cookie(await sessions.mint(EVERYTHING)), method)).status).toBe(status);
});
