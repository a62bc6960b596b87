/** Known faults of keys and addresses, as regression tests; those of jobs are tested with the stores. */
import { expect, test } from 'vitest';
import { canonicalUrl } from './canonical-url.js';
import { classifyAddress } from './classify-address.js';
import { idempotencyKey } from './idempotency-key.js';
import { createRedactor } from './redact/index.js';

const keyOf = (url: string, options: unknown = {}) =>
  idempotencyKey({ tenant: 'acme', url, options, recipeVersion: 'v1' });

test('S9: keys depend on the query, keep IPv6 brackets and normalize escapes', () => {
  expect(keyOf('https://example.com/?p=1')).not.toBe(keyOf('https://example.com/?p=2'));
  expect(canonicalUrl('http://[::1]:8080/')).toContain('[::1]:8080');
  expect(keyOf('https://example.com/%7Eann')).toBe(keyOf('https://example.com/~ann'));
  expect(keyOf('https://example.com/', { depth: 2, pages: undefined })).toBe(
    keyOf('https://example.com/', { depth: 2 }),
  );
});

test.each([
  '::ffff:169.254.169.254',
  '::ffff:127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  '::',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.0.192',
  '224.0.0.1',
  '240.0.0.1',
])('S10: refuses %s', (address) => {
  expect(classifyAddress(address)).toBeDefined();
});

test.each([
  ['password=p@ss!word', ['p@ss', '!word']],
  ['Authorization: Basic dXNlcjpodW50ZXIy', ['dXNlcjpodW50ZXIy']],
  ['postgres://u:hunter2@db/x', ['hunter2']],
  ['token=abc/def+ghi==', ['abc/', 'def', 'ghi']],
  ['Authorization: Bearer ab~cd+ef/gh=', ['ab~cd', '+ef', '/gh']],
])('S12: leaves no part of the secret in %s', (text, hidden) => {
  const shown = createRedactor().text(`before ${text}`);
  for (const part of hidden) expect(shown).not.toContain(part);
  expect(shown).toContain('before');
});

test('S12: redacts lists inside objects and objects inside lists', () => {
  const value = { hops: [{ headers: [{ api_key: 'hunter2hunter2' }] }, ['cookie: sid=hunter2hunter2']] };
  expect(JSON.stringify(createRedactor().value(value))).not.toContain('hunter2');
});
