import { expect, test } from 'vitest';
import { isGenuine, mintCallbackToken, readCallbackToken } from './callback-token.js';

const key = new Uint8Array(32).fill(7);
const owner = { tenant: 'acme', id: 'orders', nonce: 'n1' };

const holds = (token: string, ofOwner = owner, withKey = key) => {
  const read = readCallbackToken(token);
  return read !== undefined && isGenuine(withKey, ofOwner, read);
};

test('a token is its own subscription’s alone, and says tenant and generation', () => {
  const token = mintCallbackToken(key, owner, 4);
  expect(readCallbackToken(token)).toMatchObject({ tenant: 'acme', generation: 4 });
  expect(mintCallbackToken(key, owner, 4)).toBe(token);
  expect(holds(token)).toBe(true);
  expect(holds(token, { ...owner, id: 'other' })).toBe(false);
  expect(holds(token, { ...owner, tenant: 'umbrella' })).toBe(false);
  expect(holds(token, { ...owner, nonce: 'n2' })).toBe(false);
  expect(holds(token, owner, new Uint8Array(32))).toBe(false);
});

test('no changed token holds', () => {
  const token = mintCallbackToken(key, owner, 4);
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A';
    const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
    expect(holds(changed)).toBe(false);
  }
});

test.each(['', '.', 'a.b', 'é.é', 'W10.AAAA', `${'A'.repeat(600)}.x`, 'a.b.c', 'not a token', 'bnVsbA.x'])(
  '%j is no token',
  (text) => {
    expect(readCallbackToken(text)).toBeUndefined();
  },
);
