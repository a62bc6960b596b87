import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import {
  JWT_SECRET,
  rememberedSessions,
  SERVICE_TOKEN,
  SESSION_KEY,
  TestClock,
} from '../../../test/support/app-for-tests.js';
import { keepingLog } from '../../../test/support/keeping-log.js';
import { SCOPES } from '../../scopes.js';
import { type AuthOptions, composeAuth } from './compose-auth.js';
import { mintToken } from './mint-token.js';
import { signLoginCode } from './signed-login-codes.js';

const OTHER_SECRET = 'another-jwt-secret-of-40-characters-long';

async function compose(jwt: AuthOptions['jwt'] = {}, auth: AuthOptions['auth'] = 'jwt') {
  const clock = new TestClock();
  let secretReads = 0;
  const options: AuthOptions = {
    auth,
    corsOrigins: ['http://listed.test'],
    jwt,
    serviceTokens: [{ token: SERVICE_TOKEN, tenant: 'acme', scopes: ['stream:read'] }],
    log: keepingLog(),
  };
  const composed = await composeAuth(options, {
    secrets: async () => {
      secretReads += 1;
      return { jwtSecret: JWT_SECRET, sessionKey: SESSION_KEY };
    },
    clock: clock.now,
    tenantExists: async (slug) => slug !== 'nobody',
    revoked: rememberedSessions(),
  });
  const authenticate = (headers: Record<string, string>, bearer?: string) =>
    composed.authenticator.authenticate({
      method: 'GET',
      headers: new Headers(headers),
      urlHost: '127.0.0.1',
      page: false,
      bearer,
      ownOrigins: ['http://127.0.0.1'],
    });
  const mint = (secret: string, claims: { issuer?: string; audience?: string } = {}) =>
    mintToken({
      ...{ secret, tenant: 'acme', scopes: ['audit:read'], expiresInSeconds: 60, nowMs: clock.ms },
      ...claims,
    });
  return { ...composed, authenticate, mint, clock, secretReads: () => secretReads };
}

test('without authentication no secret is read, there is no login, and listed origins are allowed', async () => {
  const { authenticate, login, issueLoginCode, secretReads } = await compose({}, 'none');
  expect([login, issueLoginCode, secretReads()]).toEqual([undefined, undefined, 0]);
  expect(await authenticate({ host: '127.0.0.1', origin: 'http://listed.test' })).toMatchObject({
    via: 'none',
  });
});

test("tokens are verified with the server's own secret or with a configured one instead", async () => {
  const own = await compose();
  expect(await own.authenticate({}, await own.mint(JWT_SECRET))).toMatchObject({
    tenant: 'acme',
    via: 'jwt',
  });
  const set = await compose({ secret: OTHER_SECRET });
  expect(await set.authenticate({}, await set.mint(OTHER_SECRET))).toMatchObject({
    tenant: 'acme',
    via: 'jwt',
  });
  await expect(set.authenticate({}, await set.mint(JWT_SECRET))).rejects.toMatchObject({
    code: 'INVALID_SECRET',
  });
});

test('issuer and audience are checked only if they are configured', async () => {
  const { authenticate, mint } = await compose({ issuer: 'us', audience: 'sonde' });
  const claims = { issuer: 'us', audience: 'sonde' };
  expect(await authenticate({}, await mint(JWT_SECRET, claims))).toMatchObject({ via: 'jwt' });
  for (const [wrong, reason] of [
    [{ ...claims, issuer: 'them' }, 'issuer'],
    [{ ...claims, audience: 'other' }, 'audience'],
  ] as const) {
    await expect(authenticate({}, await mint(JWT_SECRET, wrong))).rejects.toMatchObject({
      details: { reason },
    });
  }
  const open = await compose();
  expect(await open.authenticate({}, await open.mint(JWT_SECRET, { issuer: 'them' }))).toMatchObject({
    via: 'jwt',
  });
});

test('a key set verifies tokens instead of a secret, and both together are refused', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const loadJwks = async () => ({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] });
  const { authenticate, mint, clock } = await compose({ loadJwks });
  const token = await new SignJWT({ tenant: 'acme', scope: 'audit:read' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setExpirationTime(clock.ms / 1000 + 60)
    .sign(privateKey);
  expect(await authenticate({}, token)).toMatchObject({ tenant: 'acme', via: 'jwt' });
  await expect(authenticate({}, await mint(JWT_SECRET))).rejects.toMatchObject({
    details: { reason: 'algorithm' },
  });
  await expect(compose({ loadJwks, secret: OTHER_SECRET })).rejects.toMatchObject({
    code: 'CONFIG_INVALID_VALUE',
    details: { key: 'auth.jwks' },
  });
});

test('service tokens and tenants are looked up', async () => {
  const { authenticate, clock } = await compose();
  expect(await authenticate({}, SERVICE_TOKEN)).toMatchObject({ tenant: 'acme', via: 'service-token' });
  const nobody = await mintToken({
    ...{ secret: JWT_SECRET, tenant: 'nobody', scopes: [], expiresInSeconds: 60, nowMs: clock.ms },
  });
  await expect(authenticate({}, nobody)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('an issued and a signed code each open one session, and a session can be ended', async () => {
  const { login, issueLoginCode, authenticate, clock } = await compose();
  const signed = await signLoginCode(SESSION_KEY, { tenant: 'acme', scopes: new Set(['admin']) }, clock.ms);
  for (const [code, grant] of [
    [issueLoginCode?.() ?? '', { tenant: 'default', scopes: new Set(SCOPES) }],
    [signed, { tenant: 'acme', scopes: new Set(['admin']) }],
  ] as const) {
    const redeemed = await login?.redeem(code);
    expect(redeemed?.grant).toEqual(grant);
    const cookie = `sonde_session=${redeemed?.token}`;
    expect(await authenticate({ cookie })).toMatchObject({ ...grant, via: 'session' });
    await expect(login?.redeem(code)).rejects.toMatchObject({ code: 'INVALID_LOGIN_CODE' });
    await login?.end(redeemed?.token ?? '');
    await expect(authenticate({ cookie })).rejects.toMatchObject({ details: { reason: 'logged_out' } });
  }
});
