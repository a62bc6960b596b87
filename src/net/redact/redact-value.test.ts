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
  // The object and the list count too.
  expect(redacted.list.length).toBe(VALUES_MAX - 1);
  expect(VALUES_MAX).toBe(50_000);
  expect(redacted.list.at(-1)).toBe('[TRUNCATED]');
  expect(value(redacted)).toEqual(redacted);
});

test('limits the number of keys', () => {
  const many = Object.fromEntries(Array.from({ length: VALUES_MAX + 10 }, (_, at) => [`k${at}`, at]));
  const keys = Object.keys(value(many) as object);
  expect(keys.length).toBe(VALUES_MAX);
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

const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);

test('keeps 32 levels and marks or hides the one below', () => {
  expect(DEPTH_MAX).toBe(32);
  expect(value(nested(32))).toEqual(nested(32));
  expect(JSON.stringify(value(nested(33)))).toBe(`${'['.repeat(32)}"[TRUNCATED]"${']'.repeat(32)}`);
  expect(JSON.stringify(value({ token: nested(32) }))).toBe(
    `{"token":${'['.repeat(31)}"${R}"${']'.repeat(31)}}`,
  );
});

test('a cycle and an unreadable value under a secret name are hidden', () => {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(value({ token: loop, secret: proxy, auth: proxy })).toEqual({
    token: { self: R },
    secret: R,
    auth: '[UNREADABLE]',
  });
});

const PROVIDER_NAME = 'ghp_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0za_token';

test.each([
  ['an empty text', { password: '' }, { password: '' }],
  ['a name that is itself a token', { [PROVIDER_NAME]: 'v' }, { [R]: R }],
  ['a name that is secret once it is redacted', { 'x?token=url': 'v' }, { [`x?token=${R}`]: R }],
  [
    'names that become equal',
    { 'x token=a': 1, 'x token=b': 2, 'x token=c': 3 },
    { [`x token=${R}`]: R, [`x token=${R}#2`]: R, [`x token=${R}#3`]: R },
  ],
  ['a pair whose name is itself a token', [[PROVIDER_NAME, 'v']], [[R, R]]],
  ['a pair whose name is secret once it is redacted', [['x?token=url', 'v']], [[`x?token=${R}`, R]]],
  ['a longer list', ['password', 'x', 'y'], ['password', 'x', 'y']],
  ['a longer list with a hyphenated name', ['x-name', 'x', 'y'], ['x-name', 'x', 'y']],
  ['an object in a pair', ['authorization', { a: 'b' }], ['authorization', { a: R }]],
  ['an object in a longer list', ['Host', 'h', 'cookie', { a: 'b' }], ['Host', 'h', 'cookie', { a: 'b' }]],
  ['a value that looks like a flag', ['x-api-key', '-abc'], ['x-api-key', R]],
  ['a number as the name', [1, 'x'], [1, 'x']],
  [
    'other keys beside a secret name',
    { name: 'token', values: 'x', evalue: 'y', Val: 'z' },
    { name: 'token', values: 'x', evalue: 'y', Val: R },
  ],
  ['a key that ends in name', { filename: 'token', value: 'x' }, { filename: 'token', value: 'x' }],
  ['a key that begins with name', { names: 'token', value: 'x' }, { names: 'token', value: 'x' }],
  ['a header in capitals', { HEADER: 'cookie', VALUE: 'x' }, { HEADER: 'cookie', VALUE: R }],
  ['a field', { field: 'password', value: 'x', type: 't' }, { field: 'password', value: R, type: 't' }],
  ['a name that is itself a token, and a value', { name: PROVIDER_NAME, value: 'v' }, { name: R, value: R }],
  [
    'a name that is secret once it is redacted, and a value',
    { name: 'x?token=url', value: 'v' },
    { name: `x?token=${R}`, value: R },
  ],
  ['a secret name without a value', { name: 'token', other: 'x' }, { name: 'token', other: 'x' }],
  ['a session that looks opaque only when redacted', { session: 'passwords=ab' }, { session: R }],
  ['sessions without text', { session: { a: 'b' }, sid: 5 }, { session: { a: 'b' }, sid: 5 }],
  [
    'schemes and literals under auth',
    { auth: 'basic', a_auth: 'null', b_auth: true, c_auth: null },
    { auth: 'basic', a_auth: 'null', b_auth: true, c_auth: null },
  ],
  ['texts and numbers under auth', { auth: 'hunter', x_auth: 5 }, { auth: R, x_auth: R }],
  [
    'lists and objects under auth',
    { auth: ['a'], x_auth: { user: 'a', password: 'b' } },
    { auth: [R], x_auth: { user: 'a', password: R } },
  ],
])('%s', (_name, input, expected) => {
  const redacted = value(input);
  expect(redacted).toEqual(expected);
  expect(value(redacted)).toEqual(redacted);
});

test('a number that is a live secret is hidden even where numbers are counts', () => {
  const redactor = createRedactor({ secrets: ['123456789'] });
  expect(redactor.value({ tokens: 123456789, cookies: 12 })).toEqual({ tokens: R, cookies: 12 });
});
