import { expect, test } from 'vitest';
import { isGenuine, mintCallbackToken, readCallbackToken } from './callback-token.js';

const key = new Uint8Array(32).fill(7);
const owner = { tenant: 'acme', id: 'orders', nonce: 'n1' };

const isValid = (token: string, ofOwner = owner, withKey = key) => {
  const read = readCallbackToken(token);
  return read !== undefined && isGenuine(withKey, ofOwner, read);
};

test('a token is valid only for its own subscription and contains its tenant and generation', () => {
  const token = mintCallbackToken(key, owner, 4);
  expect(readCallbackToken(token)).toMatchObject({ tenant: 'acme', generation: 4 });
  expect(mintCallbackToken(key, owner, 4)).toBe(token);
  expect(isValid(token)).toBe(true);
  expect(isValid(token, { ...owner, id: 'other' })).toBe(false);
  expect(isValid(token, { ...owner, tenant: 'umbrella' })).toBe(false);
  expect(isValid(token, { ...owner, nonce: 'n2' })).toBe(false);
  expect(isValid(token, owner, new Uint8Array(32))).toBe(false);
});

test('rejects a token with any character changed', () => {
  const token = mintCallbackToken(key, owner, 4);
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A';
    const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
    expect(isValid(changed)).toBe(false);
  }
});

test.each(['', '.', 'a.b', 'é.é', 'W10.AAAA', `${'A'.repeat(600)}.x`, 'a.b.c', 'not a token', 'bnVsbA.x'])(
  '%j is not a token',
  (text) => {
    expect(readCallbackToken(text)).toBeUndefined();
  },
);

test.each([
  ['acme', 'x'],
  [7, 4],
  ['acme', null],
])('a payload of %j and %j is not a token', (tenant, generation) => {
  const payload = Buffer.from(JSON.stringify([tenant, generation])).toString('base64url');
  expect(readCallbackToken(`${payload}.AAAA`)).toBeUndefined();
});

test('a token has at most 512 characters', () => {
  const payload = Buffer.from('["acme",4]').toString('base64url');
  const longest = `${payload}.`.padEnd(512, 'A');
  expect(readCallbackToken(longest)).toEqual({ tenant: 'acme', generation: 4, text: longest });
  expect(readCallbackToken(`${longest}A`)).toBeUndefined();
});
