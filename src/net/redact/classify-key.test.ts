/** Every spelling of a name is classified alike; everyday names that contain a secret word are plain. */
import { expect, test } from 'vitest';
import { classifyKey, classifyPath, isSecretKey } from './classify-key.js';

const spellings = (words: string): string[] => {
  const parts = words.split(' ');
  const title = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);
  const pascal = parts.map(title).join('');
  return [
    parts.join('_'),
    parts.join('-'),
    parts.join('.'),
    parts.join(' '),
    parts.join('_').toUpperCase(),
    parts.map(title).join('-'),
    pascal,
    pascal.charAt(0).toLowerCase() + pascal.slice(1),
  ];
};

test.each(
  `authorization, proxy authorization, cookie, set cookie, password, passwd, pwd, passphrase, secret, client secret,
  access token, refresh token, id token, auth token, bearer token, session token, csrf token, api token, api key,
  x api key, access key, secret access key, private key, signing key, credential, credentials, session id, signature,
  x amz signature, x amz credential, connection string, otp, pin code, db password, password hash, password confirmation,
  token github, secret key base, account key, subscription key, device code, code verifier, saml response, new password,
  encryption key, webhook secret, x vault token, mnemonic, client assertion, access key id, user pass`
    .split(',')
    .map((name) => name.trim()),
)('%s is secret in every spelling', (name) => {
  for (const spelling of spellings(name)) expect([spelling, isSecretKey(spelling)]).toEqual([spelling, true]);
});

test.each([
  'apikey',
  'APIKEY',
  'accesstoken',
  'dbpassword',
  'JSESSIONID',
  'PHPSESSID',
  'password2',
  '_authToken',
  '_auth',
])('the unsplit name %s is secret', (name) => expect(isSecretKey(name)).toBe(true));

test.each(
  `author, authored, authority, prompt tokens, max tokens, total tokens, token type, tokenizer, token count,
  idempotency key, public key, primary key, foreign key, keyboard, secretary, password reset url, password policy,
  cookie policy, cookie consent, session count, monkey, www authenticate, token endpoint, authorization endpoint,
  token expires at, secret name, private key path, access control allow credentials, sec web socket key, eos token,
  id token signing alg values supported, passwordless, has password field, key id, cache key, etag, request id`
    .split(',')
    .map((name) => name.trim()),
)('%s is plain in every spelling', (name) => {
  for (const spelling of spellings(name))
    expect([spelling, classifyKey(spelling)]).toEqual([spelling, 'plain']);
});

test('some names are secret only in a certain context', () => {
  expect(['code', 'key', 'd', 'auth', 'session', 'cookies', 'pass'].map(classifyKey)).toEqual([
    'code',
    'key',
    'jwk',
    'auth',
    'opaque',
    'counted',
    'counted',
  ]);
});

test('classifies a name of any length by its end', () => {
  expect(isSecretKey(`${'x'.repeat(100_000)}_password`)).toBe(true);
  expect(classifyKey('')).toBe('plain');
  expect(classifyKey('constructor')).toBe('plain');
  expect(classifyKey('__proto__')).toBe('plain');
});

test.each(['auth', 'AUTH', 'x-auth', 'basic_auth', 'http_auth', 'proxy-auth', 'myauth', 'HTTPAuth', 'oauth'])(
  'classifies %s, which ends in auth, as auth',
  (name) => {
    expect(classifyKey(name)).toBe('auth');
  },
);

test.each([
  'tokens',
  'api_tokens',
  'secrets',
  'clientSecrets',
  'passwords',
  'PASSWORDS',
  'apikeys',
  'sessids',
  'pwds',
])('classifies the plural %s as counted', (name) => {
  expect(classifyKey(name)).toBe('counted');
});

test.each([
  [`password_${'x'.repeat(119)}`, 'secret'],
  [`password_${'x'.repeat(125)}`, 'plain'],
  ['_pin', 'secret'],
  ['pin_', 'secret'],
  ['2password3', 'plain'],
  ['pass2word', 'plain'],
  ['pws', 'plain'],
  ['credentials', 'secret'],
  ['creds', 'secret'],
  ['aws_access_key_id', 'secret'],
  ['access_key_id_x', 'secret'],
  ['key_id', 'plain'],
] as const)('classifies %s as %s', (name, kind) => {
  expect(classifyKey(name)).toBe(kind);
});

test.each([
  [['user', 'password', 'first'], 'secret'],
  [['password', 'type'], 'plain'],
  [['api', 'key'], 'secret'],
  [['tokens', 'x'], 'counted'],
  [['a', 'code'], 'code'],
  [['a', 'b'], 'plain'],
] as const)('classifies the path %j as %s', (names, kind) => {
  expect(classifyPath(names)).toBe(kind);
});
