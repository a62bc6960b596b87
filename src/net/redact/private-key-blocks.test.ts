/** The redactor hides private keys in every armour, and keeps public keys and certificates. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  [
    '{"private_key":"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n","client_email":"a@b.c"}',
    '{"private_key":"[REDACTED]","client_email":"a@b.c"}',
  ],
  ['-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE cut off', '[REDACTED]'],
  [
    '-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----\nok',
    '[REDACTED]\nok',
  ],
  [
    'client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFcEFJQkFBS0NBUUVB',
    'client-key-data: [REDACTED]',
  ],
  [
    'PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAAIG5vdGFrZXk=\nPrivate-MAC: 00',
    'PuTTY-User-Key-File-3: [REDACTED]\nPrivate-Lines: 1\n[REDACTED]Private-MAC: 00',
  ],
  [
    'a -----BEGIN PRIVATE KEY-----\nAAA\n-----END PRIVATE KEY----- b -----BEGIN PRIVATE KEY-----\nBBB',
    'a [REDACTED] b [REDACTED]',
  ],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test('hides each of many keys, and not what is between them', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nAAA\n-----END PRIVATE KEY-----';
  expect(text(Array(8).fill(key).join(' and '))).toBe(Array(8).fill('[REDACTED]').join(' and '));
});

test.each([
  '-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----',
  'certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM=',
  '-----BEGIN PUBLIC KEY-----\nMIIBIjAN\n-----END PUBLIC KEY-----',
  '-----BEGIN PGP PUBLIC KEY BLOCK-----\nmQENBF\n-----END PGP PUBLIC KEY BLOCK-----',
  'PRIVATE parking, KEY holders only',
])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
