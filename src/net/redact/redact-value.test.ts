/** Values of every shape: everything under a credential's name is hidden, and the rest stays readable. */
import { expect, test } from 'vitest';
import { DEPTH_MAX, VALUES_MAX } from './redact-value.js';
import { createRedactor } from './redactor.js';

const { value } = createRedactor();
const R = '[REDACTED]';

test.each([
  ['flat', { password: 'hunter2', user: 'bob' }, { password: R, user: 'bob' }],
  [
    'camelCase',
    { accessToken: 'a', clientSecret: 'b', userName: 'c' },
    { accessToken: R, clientSecret: R, userName: 'c' },
  ],
  ['list of objects', [{ token: 'a' }, { token: 'b' }], [{ token: R }, { token: R }]],
  ['number', { pin: 1234, otp: 99, port: 80 }, { pin: R, otp: R, port: 80 }],
  [
    'null, undefined and booleans',
    { token: null, secret: undefined, password: true },
    { token: null, secret: undefined, password: true },
  ],
  [
    'nested credentials',
    { credentials: { user: 'a', deep: [{ x: 1 }, null] } },
    { credentials: { user: R, deep: [{ x: R }, null] } },
  ],
  ['set-cookie list', { 'set-cookie': ['a=b', 'c=d'] }, { 'set-cookie': [R, R] }],
  [
    'header tuples',
    [
      ['Authorization', 'Bearer x'],
      ['Host', 'h'],
    ],
    [
      ['Authorization', R],
      ['Host', 'h'],
    ],
  ],
  ['tuple with a list', [['set-cookie', ['a=b']]], [['set-cookie', [R]]]],
  [
    'raw headers',
    ['Host', 'h', 'Cookie', 'a=b', 'X-Api-Key', 'k'],
    ['Host', 'h', 'Cookie', R, 'X-Api-Key', R],
  ],
  [
    'HAR',
    { headers: [{ name: 'authorization', value: 'x' }] },
    { headers: [{ name: 'authorization', value: R }] },
  ],
  ['key and value', { key: 'api_key', value: 'x' }, { key: 'api_key', value: R }],
  ['plain HAR', { name: 'accept', value: 'x' }, { name: 'accept', value: 'x' }],
  ['list of names', ['authorization', 'content-type'], ['authorization', 'content-type']],
  ['arguments', ['--password', 'x', '--token', '--verbose'], ['--password', R, '--token', '--verbose']],
  ['JSON in a string', { body: '{"password":"x1"}' }, { body: `{"password":"${R}"}` }],
  ['text in a string', { url: 'https://a:b@h/?token=x' }, { url: `https://${R}@h/?token=${R}` }],
  ['counts', { tokens: 5, max_tokens: 6, cookies: 7 }, { tokens: 5, max_tokens: 6, cookies: 7 }],
  [
    'texts under names in the plural',
    { passwords: 'hunter2x', cookies: ['a', { b: 'c', n: 1 }], refresh_tokens: 'x', pass: 'y' },
    {
      passwords: '[REDACTED]',
      cookies: ['[REDACTED]', { b: '[REDACTED]', n: 1 }],
      refresh_tokens: '[REDACTED]',
      pass: '[REDACTED]',
    },
  ],
  ['JSON Web Key', { kty: 'EC', x: 'pub', d: 'priv' }, { kty: 'EC', x: 'pub', d: R }],
  ['no JSON Web Key', { d: 'day', p: 'x' }, { d: 'day', p: 'x' }],
  [
    'OAuth code',
    { grant_type: 'authorization_code', code: 'abc' },
    { grant_type: 'authorization_code', code: R },
  ],
  [
    'an authorization code next to its verifier',
    { code_verifier: 'v', code: 'abc' },
    { code_verifier: R, code: R },
  ],
  ['error code', { code: 'ENOENT' }, { code: 'ENOENT' }],
  ['opaque auth', { auth: 'jwt', session: '9f3c2a7d1b' }, { auth: 'jwt', session: R }],
  ['secret in a key', { 'x ghp_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0za': 1 }, { [`x ${R}`]: 1 }],
])('%s', (_name, input, expected) => {
  const before = structuredClone(input);
  const redacted = value(input);
  expect(redacted).toEqual(expected);
  expect(value(redacted)).toEqual(redacted);
  expect(input).toEqual(before);
  expect(redacted).not.toBe(input);
});

test('maps, sets, headers, URLs, dates, bytes and other objects become plain', () => {
  const headers = new Headers([
    ['x-api-key', 'k'],
    ['accept', 'a'],
  ]);
  const input = {
    map: new Map([['token', 'x']]),
    oddMap: new Map<unknown, unknown>([
      [1, 'a'],
      ['password', 'x'],
    ]),
    set: new Set(['Bearer abcdef123456']),
    headers,
    query: new URLSearchParams('a=1&token=x&a=2'),
    url: new URL('https://h/?token=x'),
    date: new Date(0),
    never: new Date(Number.NaN),
    bytes: new Uint8Array(3),
    buffer: new ArrayBuffer(4),
    big: 12n,
    symbol: Symbol('s'),
    call: function named() {},
    boxed: Object('token=x1'),
    pattern: /a/,
    empty: Object.create(null),
  };
  expect(value(input)).toEqual({
    map: { token: R },
    oddMap: [
      [1, 'a'],
      ['password', R],
    ],
    set: [`Bearer ${R}`],
    headers: { 'x-api-key': R, accept: 'a' },
    query: { a: ['1', '2'], token: R },
    url: `https://h/?token=${R}`,
    date: '1970-01-01T00:00:00.000Z',
    never: 'Invalid Date',
    bytes: '[3 bytes]',
    buffer: '[4 bytes]',
    big: '12',
    symbol: 'Symbol(s)',
    call: '[Function named]',
    boxed: `token=${R}`,
    pattern: '/a/',
    empty: {},
  });
});

test('redacts an error and keeps its name, message, code and cause', () => {
  const cause = Object.assign(new Error('redis://:pw1234@h failed'), { code: 'ECONN', token: 'x' });
  const redacted = value(new TypeError('token=abc', { cause })) as Record<string, unknown>;
  expect(redacted).toMatchObject({
    name: 'TypeError',
    message: `token=${R}`,
    cause: { message: `redis://${R}@h failed`, code: 'ECONN', token: R },
  });
  expect(JSON.stringify(redacted)).not.toMatch(/pw1234|token=abc/);
});

test('cycles, throwing getters and revoked proxies become markers', () => {
  const loop: Record<string, unknown> = { a: 1 };
  loop['self'] = loop;
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  const throwing = {
    get bad(): never {
      throw new Error('no');
    },
    good: 1,
  };
  expect(value({ loop, proxy, hostile, throwing, shared: [throwing, throwing] })).toEqual({
    loop: { a: 1, self: '[CIRCULAR]' },
    proxy: '[UNREADABLE]',
    hostile: '[UNREADABLE]',
    throwing: { bad: '[UNREADABLE]', good: 1 },
    shared: [
      { bad: '[UNREADABLE]', good: 1 },
      { bad: '[UNREADABLE]', good: 1 },
    ],
  });
});

test('limits the depth and still hides a secret below it', () => {
  let deep: unknown = { password: 'x1' };
  for (let level = 0; level < 10_000; level += 1) deep = level === 9_990 ? { token: deep } : [deep];
  const redacted = value(deep);
  const written = JSON.stringify(redacted);
  expect(written).toContain(R);
  expect(written.length).toBeLessThan(DEPTH_MAX * 20);
  expect(value(redacted)).toEqual(redacted);
});

test('limits the number of values', () => {
  const wide = { list: Array.from({ length: VALUES_MAX * 2 }, (_, at) => at), after: 'x' };
  const redacted = value(wide) as { list: unknown[] };
  expect(redacted.list.length).toBeLessThanOrEqual(VALUES_MAX);
  expect(redacted.list.at(-1)).toBe('[TRUNCATED]');
  expect(value(redacted)).toEqual(redacted);
});

test('limits the number of keys', () => {
  const many = Object.fromEntries(Array.from({ length: VALUES_MAX + 10 }, (_, at) => [`k${at}`, at]));
  const keys = Object.keys(value(many) as object);
  expect(keys.length).toBeLessThanOrEqual(VALUES_MAX);
  expect(keys.at(-1)).toBe('[TRUNCATED]');
});

test('a key named __proto__ stays a key', () => {
  const redacted = value(JSON.parse('{"__proto__":{"token":"x"}}')) as object;
  expect(Object.keys(redacted)).toEqual(['__proto__']);
  expect(JSON.stringify(redacted)).toBe(`{"__proto__":{"token":"${R}"}}`);
});

test('unwraps boxed values', () => {
  expect(value([Object('a'), Object(1), Object(true)])).toEqual(['a', 1, true]);
});
