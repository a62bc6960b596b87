import { expect, test } from 'vitest';
import { createServiceTokenFinder } from './service-tokens.js';

const one = { token: 'one-service-token-of-32-characters', tenant: 'acme', scopes: ['stream:read'] };
const two = { token: 'two-service-token-of-32-characters', tenant: 'beta', scopes: ['admin', 'admin'] };

test('finds the grant of a known token and none for an unknown one', () => {
  const find = createServiceTokenFinder([one, two]);
  expect(find(one.token)).toEqual({ tenant: 'acme', scopes: new Set(['stream:read']) });
  expect(find(two.token)).toEqual({ tenant: 'beta', scopes: new Set(['admin']) });
  expect(find(`${one.token}x`)).toBeUndefined();
  expect(find('')).toBeUndefined();
});

test.each([
  ['a short token', { ...one, token: 'short' }, 'at least 32 characters'],
  ['a tenant that is not a slug', { ...one, tenant: 'A B' }, 'must be a slug'],
  ['an unknown scope', { ...one, scopes: ['root'] }, 'scope "root" of token 1 is unknown'],
])('refuses %s, without repeating the token', (_name, entry, words) => {
  const create = () => createServiceTokenFinder([entry]);
  expect(create).toThrow(words);
  expect(create).not.toThrow(entry.token);
});

test('accepts 1,000 tokens of 32 characters; refuses one more or a shorter one', () => {
  const tokens = Array.from({ length: 1_000 }, (_, n) => ({ ...one, token: String(n).padStart(32, 'x') }));
  const find = createServiceTokenFinder(tokens);
  expect(find('999'.padStart(32, 'x'))).toMatchObject({ tenant: 'acme' });
  expect(() => createServiceTokenFinder([...tokens, two])).toThrow('at most 1000 tokens');
  expect(() => createServiceTokenFinder([{ ...one, token: 'x'.repeat(31) }])).toThrow(
    'at least 32 characters',
  );
});
