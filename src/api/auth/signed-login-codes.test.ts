import { expect, test, vi } from 'vitest';
import { createCodeRedeemer, signLoginCode } from './signed-login-codes.js';

const KEY = 'a-session-key-for-the-codes-of-this-test-000';
const GRANT = { tenant: 'default', scopes: new Set(['admin', 'operator'] as const) };
const START_MS = Date.UTC(2026, 0, 1);

function redeemer() {
  const spent = new Set<string>();
  const clock = { ms: START_MS };
  const revoked = {
    add: async (id: string) => void spent.add(id),
    has: async (id: string) => spent.has(id),
  };
  return { clock, redeem: createCodeRedeemer(KEY, { clock: () => clock.ms, revoked }) };
}

const REFUSED = { code: 'INVALID_LOGIN_CODE' };

test('a signed code works once, even if it is sent twice at the same time', async () => {
  const spent = new Set<string>();
  let answerFirst = () => {};
  const first = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
  const revoked = {
    add: async (id: string) => void spent.add(id),
    has: vi.fn(async (id: string) => spent.has(id)).mockImplementationOnce(() => first.then(() => false)),
  };
  const redeem = createCodeRedeemer(KEY, { clock: () => START_MS, revoked });
  const code = await signLoginCode(KEY, GRANT, START_MS);
  const redeemed = redeem(code);
  await vi.waitFor(() => expect(revoked.has).toHaveBeenCalled());
  await expect(redeem(code)).rejects.toMatchObject(REFUSED);
  answerFirst();
  expect(await redeemed).toEqual(GRANT);
  await expect(redeem(code)).rejects.toMatchObject(REFUSED);
});

test('a code carries the routes and paths of its grant', async () => {
  const { redeem } = redeemer();
  const grant = { ...GRANT, routes: ['chat'], paths: ['GET /v1/models'] };
  expect(await redeem(await signLoginCode(KEY, grant, START_MS))).toEqual(grant);
});

test('refuses a code without a tenant', async () => {
  const { redeem } = redeemer();
  const code = await signLoginCode(KEY, { ...GRANT, tenant: undefined as never }, START_MS);
  await expect(redeem(code)).rejects.toMatchObject(REFUSED);
});

test('refuses an expired code, one signed with another key, and text that is not a code', async () => {
  const { clock, redeem } = redeemer();
  const code = await signLoginCode(KEY, GRANT, START_MS);
  await expect(redeem(await signLoginCode(`${KEY}x`, GRANT, START_MS))).rejects.toMatchObject(REFUSED);
  await expect(redeem('a.b.c')).rejects.toMatchObject(REFUSED);
  clock.ms += 3_600_000;
  await expect(redeem(code)).rejects.toMatchObject(REFUSED);
});

test('a code that was not redeemed because the store was down can be used again', async () => {
  let isDown = true;
  const revoked = {
    add: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve()),
    has: async () => false,
  };
  const redeem = createCodeRedeemer(KEY, { clock: () => START_MS, revoked });
  const code = await signLoginCode(KEY, GRANT, START_MS);
  await expect(redeem(code)).rejects.toThrow('down');
  isDown = false;
  expect(await redeem(code)).toEqual(GRANT);
});

test('a code is valid for ten minutes, and its use is remembered until it expires', async () => {
  const spent: [string, number][] = [];
  const clock = { ms: START_MS };
  const revoked = { add: async (...args: [string, number]) => void spent.push(args), has: async () => false };
  const redeem = createCodeRedeemer(KEY, { clock: () => clock.ms, revoked });
  const code = await signLoginCode(KEY, GRANT, START_MS + 999);
  clock.ms += 600_000 + 29_000;
  await redeem(code);
  expect(spent).toEqual([[expect.stringMatching(/^[0-9a-f-]{36}$/), START_MS + 630_000]]);
  clock.ms += 1_000;
  await expect(redeem(code)).rejects.toMatchObject(REFUSED);
});
