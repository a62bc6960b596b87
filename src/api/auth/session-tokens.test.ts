import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { rememberedSessions, SESSION_KEY, START_MS, TestClock } from '../../../test/support/app-for-tests.js';
import { SCOPES } from '../../scopes.js';
import type { TenantGrant } from './principal.js';
import type { RevokedSessions } from './revoked-sessions.js';
import { createSessionTokens, SESSION_SECONDS } from './session-tokens.js';
import { CLOCK_TOLERANCE_SECONDS, TOKEN_CHARS_MAX } from './verify-jwt.js';

const NOW = Math.floor(START_MS / 1000);
const GRANT: TenantGrant = { tenant: 'acme', scopes: new Set(['stream:read', 'admin']) };
const CLAIMS: JWTPayload = {
  tenant: 'acme',
  scope: 'stream:read admin',
  aud: 'sonde:session',
  jti: 'one',
  exp: NOW + 60,
};
const HEADER = { alg: 'HS256', typ: 'sonde-session+jwt' };

const sign = (claims: JWTPayload, header: { alg: string; typ?: string } = HEADER, key = SESSION_KEY) =>
  new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(key));

const without = (name: string) => Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name));

function openSessions(revoked: RevokedSessions = rememberedSessions()) {
  const clock = new TestClock();
  return { clock, sessions: createSessionTokens(SESSION_KEY, { clock: clock.now, revoked }) };
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: { details?: { reason?: string } }) => error.details?.reason ?? error,
  );

test('a minted session carries its tenant and scopes for twelve hours', async () => {
  const { sessions, clock } = openSessions();
  clock.ms += 999;
  expect(await sessions.verify(await sessions.mint(GRANT))).toEqual({
    ...GRANT,
    expiresAt: START_MS + SESSION_SECONDS * 1000,
  });
  expect(SESSION_SECONDS).toBe(43_200);
});

test('a minted session carries the routes and paths of its grant', async () => {
  const { sessions } = openSessions();
  const limits = { routes: ['chat'], paths: ['POST /v1/chat/completions'] };
  expect(await sessions.verify(await sessions.mint({ ...GRANT, ...limits }))).toMatchObject(limits);
  expect(await reasonOf(sessions.verify(await sign({ ...CLAIMS, routes: 'chat' })))).toBe('routes');
});

test('each session has its own id', async () => {
  const { sessions } = openSessions();
  const [first, second] = [await sessions.mint(GRANT), await sessions.mint(GRANT)];
  await sessions.end(first);
  expect(await reasonOf(sessions.verify(first))).toBe('logged_out');
  expect(await reasonOf(sessions.verify(second))).toBe('accepted');
});

test('a session expires, with a clock tolerance of 30 s', async () => {
  const { sessions, clock } = openSessions();
  const token = await sessions.mint(GRANT);
  clock.ms += (SESSION_SECONDS + CLOCK_TOLERANCE_SECONDS - 1) * 1000;
  expect(await reasonOf(sessions.verify(token))).toBe('accepted');
  clock.ms += 1000;
  expect(await reasonOf(sessions.verify(token))).toBe('expired');
});

describe('a token signed with the right key', () => {
  test('is accepted as a session if every claim is right', async () => {
    expect(await reasonOf(openSessions().sessions.verify(await sign(CLAIMS)))).toBe('accepted');
  });

  test.each([
    ['a bearer token', CLAIMS, { alg: 'HS256', typ: 'JWT' }, 'token_type'],
    ['one without a type', CLAIMS, { alg: 'HS256' }, 'token_type'],
    ['one for another audience', { ...CLAIMS, aud: 'sonde' }, HEADER, 'audience'],
    ['one without an audience', without('aud'), HEADER, 'audience'],
    ['one that never expires', without('exp'), HEADER, 'no_expiry'],
    ['one that cannot be ended', without('jti'), HEADER, 'malformed'],
    ['one without a tenant', without('tenant'), HEADER, 'tenant'],
    ['one with another algorithm', CLAIMS, { ...HEADER, alg: 'HS512' }, 'algorithm'],
  ])('%s is refused', async (_name, claims, header, reason) => {
    expect(await reasonOf(openSessions().sessions.verify(await sign(claims, header)))).toBe(reason);
  });

  test('grants only scopes that exist', async () => {
    const token = await sign({ ...CLAIMS, scope: 'admin other:thing' });
    expect((await openSessions().sessions.verify(token)).scopes).toEqual(new Set(['admin']));
    const all = await sign({ ...CLAIMS, scope: SCOPES.join(' ') });
    expect((await openSessions().sessions.verify(all)).scopes).toEqual(new Set(SCOPES));
  });
});

test('tokens signed with another key and overlong tokens are refused', async () => {
  const { sessions } = openSessions();
  expect(await reasonOf(sessions.verify(await sign(CLAIMS, HEADER, `${SESSION_KEY}x`)))).toBe('signature');
  const long = 'x'.repeat(TOKEN_CHARS_MAX);
  expect(await reasonOf(sessions.verify(long))).toBe('malformed');
  expect(await reasonOf(sessions.verify(`${long}x`))).toBe('too_long');
});

test('an ended session is remembered for as long as it would have been accepted', async () => {
  const ended: [string, number][] = [];
  const { sessions } = openSessions({
    add: async (...args) => void ended.push(args),
    has: async () => false,
  });
  await sessions.end(await sign(CLAIMS));
  expect(ended).toEqual([['one', (NOW + 60 + CLOCK_TOLERANCE_SECONDS) * 1000]]);
});

test('ending an invalid session stores nothing', async () => {
  const ended: string[] = [];
  const { sessions } = openSessions({ add: async (id) => void ended.push(id), has: async () => false });
  for (const token of [
    '',
    await sign({ ...CLAIMS, exp: NOW - 60 }),
    await sign(CLAIMS, HEADER, `${SESSION_KEY}x`),
  ]) {
    await sessions.end(token);
  }
  expect(ended).toEqual([]);
});

test('a key of fewer than 32 bytes is refused', () => {
  const deps = { clock: () => START_MS, revoked: rememberedSessions() };
  expect(() => createSessionTokens('x'.repeat(31), deps)).toThrow(/32 bytes/);
  expect(() => createSessionTokens('x'.repeat(32), deps)).not.toThrow();
});
