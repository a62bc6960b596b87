import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { JWT_SECRET, START_MS } from '../../../test/support/app-for-tests.js';
import { mintToken } from './mint-token.js';
import { createJwtVerifier } from './verify-jwt.js';

const options = {
  secret: JWT_SECRET,
  tenant: 'acme',
  scopes: ['audit:read'],
  expiresInSeconds: 60,
  nowMs: START_MS,
};
const createStrictVerifier = (now: number) =>
  createJwtVerifier({ key: { secret: JWT_SECRET }, clock: () => now, issuer: 'us', audience: 'sonde' });

test('a minted token verifies until it expires', async () => {
  const token = await mintToken({ ...options, issuer: 'us', audience: 'sonde' });
  await expect(createStrictVerifier(START_MS)(token)).resolves.toEqual({
    tenant: 'acme',
    scopes: new Set(['audit:read']),
  });
  await expect(createStrictVerifier(START_MS + 91_000)(token)).rejects.toMatchObject({
    details: { reason: 'expired' },
  });
});

test.each([
  [{ tenant: 'Not A Slug' }, 'USAGE'],
  [{ scopes: ['everything'] }, 'USAGE'],
  [{ scopes: ['operator'] }, 'USAGE'],
  [{ expiresInSeconds: 0 }, 'USAGE'],
  [{ expiresInSeconds: 1.5 }, 'USAGE'],
  [{ secret: 'short' }, 'CONFIG_INVALID_VALUE'],
])('refuses %o', async (change, code) => {
  await expect(mintToken({ ...options, ...change })).rejects.toMatchObject({ code });
});

test('an operator token has no tenant', async () => {
  const { secret, expiresInSeconds, nowMs } = options;
  const token = await mintToken({ secret, expiresInSeconds, nowMs, operator: true });
  const verify = createJwtVerifier({ key: { secret }, clock: () => nowMs });
  await expect(verify(token)).resolves.toEqual({ tenant: null, scopes: new Set(['operator']) });
});

test('the shortest lifetime is one second and the longest tenant slug has 63 characters', async () => {
  const at = (nowMs: number) => createJwtVerifier({ key: { secret: JWT_SECRET }, clock: () => nowMs });
  const short = await mintToken({ ...options, expiresInSeconds: 1, nowMs: START_MS + 999 });
  await expect(at(START_MS + 30_999)(short)).resolves.toBeDefined();
  await expect(at(START_MS + 31_000)(short)).rejects.toMatchObject({ details: { reason: 'expired' } });
  await expect(mintToken({ ...options, tenant: 'a'.repeat(63) })).resolves.toBeDefined();
  await expect(mintToken({ ...options, tenant: 'a'.repeat(64) })).rejects.toThrow('slug');
  await expect(mintToken({ ...options, scopes: ['operator'] })).rejects.toThrow('--operator');
  await expect(mintToken({ ...options, scopes: ['all'] })).rejects.toThrow(
    'Unknown scope "all"; valid scopes are ',
  );
});

test('issuer and audience become claims only if they are given', async () => {
  const claims = async (more: { issuer?: string; audience?: string }) => {
    const { iss, aud } = decodeJwt(await mintToken({ ...options, ...more }));
    return [iss, aud];
  };
  expect(await claims({})).toEqual([undefined, undefined]);
  expect(await claims({ issuer: 'us' })).toEqual(['us', undefined]);
  expect(await claims({ audience: 'sonde' })).toEqual([undefined, 'sonde']);
});
