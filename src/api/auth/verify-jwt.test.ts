import { base64url, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import {
  JWT_SECRET,
  rememberedSessions,
  SESSION_KEY,
  START_MS,
  TestClock,
} from '../../../test/support/app-for-tests.js';
import { keepingLog } from '../../../test/support/keeping-log.js';
import type { SecretFault } from './invalid-secret.js';
import { JwksKeys } from './jwks-keys.js';
import { createSessionTokens } from './session-tokens.js';
import { createJwtVerifier } from './verify-jwt.js';

const clock = () => START_MS;
const NOW = Math.floor(START_MS / 1000);
const GOOD: JWTPayload = { tenant: 'acme', scope: 'stream:read audit:write', exp: NOW + 60 };
const bytes = (text: string) => new TextEncoder().encode(text);

const sign = (claims: JWTPayload, header: Record<string, unknown> = {}, secret = JWT_SECRET) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', ...header }).sign(bytes(secret));

const encode = (value: unknown) => base64url.encode(JSON.stringify(value));

/** Signed by hand, for headers that jose refuses to write. */
async function handSigned(header: Record<string, unknown>, claims: JWTPayload = GOOD): Promise<string> {
  const key = await crypto.subtle.importKey(
    'raw',
    bytes(JWT_SECRET),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(input))))}`;
}

const verify = createJwtVerifier({ key: { secret: JWT_SECRET }, clock });

describe('with a shared secret', () => {
  test('refuses a token in a different base64url spelling of the same bytes', async () => {
    const token = await sign(GOOD);
    for (const spelled of [`${token}=`, `=${token}`, `${token}\n`, token.replace('.', '=.')]) {
      await expect(verify(spelled)).rejects.toMatchObject({ details: { reason: 'malformed' } });
    }
  });

  test('a valid token grants its tenant and the scopes that exist', async () => {
    const grant = await verify(
      await sign({ ...GOOD, scope: 'stream:read other:thing admin' }, { typ: 'JWT' }),
    );
    expect(grant).toEqual({ tenant: 'acme', scopes: new Set(['stream:read', 'admin']) });
  });

  test.each(['jwt', 'JWT', 'at+jwt'])('a token of the type %s is accepted', async (typ) => {
    expect(await verify(await sign(GOOD, { typ }))).toMatchObject({ tenant: 'acme' });
  });

  test('scopes may be a list, or absent', async () => {
    expect((await verify(await sign({ ...GOOD, scope: ['audit:read'] }))).scopes).toEqual(
      new Set(['audit:read']),
    );
    expect((await verify(await sign({ tenant: 'acme', exp: NOW + 60 }))).scopes).toEqual(new Set());
  });

  test('tolerates a clock difference of 30 s and no more', async () => {
    await expect(verify(await sign({ ...GOOD, exp: NOW - 29 }))).resolves.toBeDefined();
    await expect(verify(await sign({ ...GOOD, nbf: NOW + 30 }))).resolves.toBeDefined();
    await expect(verify(await sign({ ...GOOD, exp: NOW - 30 }))).rejects.toMatchObject({
      code: 'INVALID_SECRET',
    });
  });

  const bad: readonly [string, SecretFault, () => string | Promise<string>][] = [
    ['alg none', 'algorithm', () => new UnsecuredJWT(GOOD).encode()],
    ['alg none, spelled nOnE', 'algorithm', () => `${encode({ alg: 'nOnE' })}.${encode(GOOD)}.`],
    ['HS512 with the right secret', 'algorithm', () => sign(GOOD, { alg: 'HS512' })],
    ['RS256 header over an HMAC', 'algorithm', () => handSigned({ alg: 'RS256' })],
    ['another secret', 'signature', () => sign(GOOD, {}, `${JWT_SECRET}x`)],
    ['signature cut off', 'signature', async () => (await sign(GOOD)).replace(/[^.]+$/, '')],
    [
      'changed claims',
      'signature',
      async () => (await sign(GOOD)).replace(/\.[^.]+\./, `.${encode({ ...GOOD, tenant: 'evil' })}.`),
    ],
    [
      'crit of an unknown extension',
      'critical_header',
      () => handSigned({ alg: 'HS256', crit: ['x'], x: 1 }),
    ],
    ['crit of b64', 'critical_header', () => handSigned({ alg: 'HS256', crit: ['b64'], b64: true })],
    ['empty crit', 'critical_header', () => handSigned({ alg: 'HS256', crit: [] })],
    ['expired', 'expired', () => sign({ ...GOOD, exp: NOW - 3600 })],
    ['no exp', 'no_expiry', () => sign({ tenant: 'acme', scope: '' })],
    ['exp as text', 'no_expiry', () => sign({ ...GOOD, exp: `${NOW + 60}` as unknown as number })],
    ['nbf in the future', 'not_yet_valid', () => sign({ ...GOOD, nbf: NOW + 3600 })],
    ['no tenant', 'tenant', () => sign({ scope: 'admin', exp: NOW + 60 })],
    ['tenant in capitals', 'tenant', () => sign({ ...GOOD, tenant: 'Acme' })],
    ['tenant with a slash', 'tenant', () => sign({ ...GOOD, tenant: '../other' })],
    ['tenant with a line break', 'tenant', () => sign({ ...GOOD, tenant: 'acme\n' })],
    ['tenant of 64 characters', 'tenant', () => sign({ ...GOOD, tenant: 'a'.repeat(64) })],
    ['tenant as a list', 'tenant', () => sign({ ...GOOD, tenant: ['acme'] })],
    ['scope as a number', 'scope', () => sign({ ...GOOD, scope: 7 })],
    ['scope as a list of numbers', 'scope', () => sign({ ...GOOD, scope: [1] })],
    [
      'a session token',
      'token_type',
      () =>
        createSessionTokens(SESSION_KEY, { clock, revoked: rememberedSessions() }).mint({
          tenant: 'a',
          scopes: new Set(),
        }),
    ],
    [
      'a session token under the same key',
      'token_type',
      () =>
        createSessionTokens(JWT_SECRET, { clock, revoked: rememberedSessions() }).mint({
          tenant: 'a',
          scopes: new Set(),
        }),
    ],
    ['another type', 'token_type', () => sign(GOOD, { typ: 'secevent+jwt' })],
    ['a type around a media type', 'token_type', () => sign(GOOD, { typ: 'jwapplication/t' })],
    ['1 MB of token', 'too_long', () => 'a'.repeat(1 << 20)],
    ['1 MB of claims', 'too_long', () => sign({ ...GOOD, filler: 'x'.repeat(1 << 20) })],
    ['no JWT at all', 'malformed', () => 'hello'],
    ['five parts', 'malformed', () => 'a.b.c.d.e'],
    ['header that is not JSON', 'malformed', async () => `${base64url.encode('{')}.${encode(GOOD)}.AAAA`],
    ['claims that are a list', 'malformed', () => handSigned({ alg: 'HS256' }, [] as unknown as JWTPayload)],
  ];

  test.each(bad)('%s is refused as %s', async (_name, reason, make) => {
    const token = await make();
    const refusal = await verify(token).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(refusal).toMatchObject({ code: 'INVALID_SECRET', details: { reason } });
    expect((refusal as Error).message).not.toContain(token.slice(0, 20));
  });

  test('issuer and audience are checked if they are configured', async () => {
    const strict = createJwtVerifier({ key: { secret: JWT_SECRET }, clock, issuer: 'us', audience: 'sonde' });
    await expect(strict(await sign({ ...GOOD, iss: 'us', aud: ['x', 'sonde'] }))).resolves.toBeDefined();
    await expect(strict(await sign({ ...GOOD, aud: 'sonde' }))).rejects.toMatchObject({
      details: { reason: 'issuer' },
    });
    await expect(strict(await sign({ ...GOOD, iss: 'us' }))).rejects.toMatchObject({
      details: { reason: 'audience' },
    });
    await expect(strict(await sign({ ...GOOD, iss: 'us', aud: 'other' }))).rejects.toMatchObject({
      details: { reason: 'audience' },
    });
  });

  test('a secret under 32 bytes is refused', () => {
    expect(() => createJwtVerifier({ key: { secret: 'x'.repeat(31) }, clock })).toThrow('at least 32 bytes');
  });
});

describe('with a key set', () => {
  const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];

  async function issuer(alg: string) {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg };
    const jwks = new JwksKeys({ load: async () => ({ keys: [jwk] }), clock, log: keepingLog() });
    return { privateKey, jwk, verify: createJwtVerifier({ key: { jwks }, clock }) };
  }

  test.each(algorithms)('%s is accepted', async (alg) => {
    const { privateKey, verify } = await issuer(alg);
    const token = await new SignJWT(GOOD).setProtectedHeader({ alg, kid: 'k1' }).sign(privateKey);
    await expect(verify(token)).resolves.toMatchObject({ tenant: 'acme' });
  });

  test('the public key as an HMAC secret is refused', async () => {
    const { verify, jwk } = await issuer('RS256');
    const token = await new SignJWT(GOOD)
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(bytes(JSON.stringify(jwk)));
    await expect(verify(token)).rejects.toMatchObject({ details: { reason: 'algorithm' } });
  });

  test('an algorithm outside the list is refused', async () => {
    const { privateKey, verify } = await issuer('ES384');
    const token = await new SignJWT(GOOD).setProtectedHeader({ alg: 'ES384', kid: 'k1' }).sign(privateKey);
    await expect(verify(token)).rejects.toMatchObject({ details: { reason: 'algorithm' } });
  });

  test('a key in the token itself is not used', async () => {
    const { verify } = await issuer('ES256');
    const own = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(own.publicKey);
    const token = await new SignJWT(GOOD).setProtectedHeader({ alg: 'ES256', jwk }).sign(own.privateKey);
    await expect(verify(token)).rejects.toMatchObject({ details: { reason: 'signature' } });
  });
});

describe('a token that was verified', () => {
  const verifications = () => vi.spyOn(crypto.subtle, 'verify');

  test('is not verified again, and every other token is', async () => {
    const fresh = createJwtVerifier({ key: { secret: JWT_SECRET }, clock });
    const checks = verifications();
    const token = await sign(GOOD);
    for (let n = 0; n < 3; n++) expect(await fresh(token)).toMatchObject({ tenant: 'acme' });
    expect(checks).toHaveBeenCalledTimes(1);
    const [header, , signature] = token.split('.');
    const forged = `${header}.${encode({ ...GOOD, tenant: 'evil' })}.${signature}`;
    for (let n = 0; n < 2; n++)
      await expect(fresh(forged)).rejects.toMatchObject({ details: { reason: 'signature' } });
    expect(checks).toHaveBeenCalledTimes(3);
  });

  test('is refused outside its dates, to the second, and accepted again within them', async () => {
    const time = new TestClock();
    const fresh = createJwtVerifier({ key: { secret: JWT_SECRET }, clock: time.now });
    const token = await sign({ ...GOOD, nbf: NOW - 60, exp: NOW + 60 });
    const reasonAt = (seconds: number) => {
      time.ms = seconds * 1000 + 999;
      return fresh(token).then(
        () => 'accepted',
        (refusal: { details: { reason: string } }) => refusal.details.reason,
      );
    };
    for (const [seconds, reason] of [
      [NOW, 'accepted'],
      [NOW + 89, 'accepted'],
      [NOW + 90, 'expired'],
      [NOW, 'accepted'],
      [NOW - 90, 'accepted'],
      [NOW - 91, 'not_yet_valid'],
      [NOW, 'accepted'],
    ] as const) {
      expect([seconds - NOW, await reasonAt(seconds)]).toEqual([seconds - NOW, reason]);
    }
  });

  test('is verified again when the set of keys has changed', async () => {
    const time = new TestClock();
    const [first, second] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
    let current = { keys: [{ ...(await exportJWK(first.publicKey)), kid: 'k' }] };
    const load = async () => current;
    const jwks = new JwksKeys({ load, clock: time.now, freshMs: 500, log: keepingLog() });
    const fresh = createJwtVerifier({ key: { jwks }, clock: time.now });
    const token = await new SignJWT(GOOD)
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .sign(first.privateKey);
    await fresh(token);
    const checks = verifications();
    time.ms += 501;
    await fresh(token);
    expect(checks).not.toHaveBeenCalled();
    current = { keys: [{ ...(await exportJWK(second.publicKey)), kid: 'k' }] };
    time.ms += 500;
    await expect(fresh(token)).resolves.toBeDefined();
    time.ms += 1;
    await expect(fresh(token)).rejects.toMatchObject({ details: { reason: 'signature' } });
  });
});
