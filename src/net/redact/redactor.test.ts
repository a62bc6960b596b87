/** The redactor as a whole redacts before truncating, keeps JSON valid, never throws and is idempotent. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.js';
import { DENSE_CHARACTERS, DENSE_SPANS, MASK } from './mask.js';
import { createRedactor } from './redactor.js';

const redactor = createRedactor();

test('truncates only after redacting, and never inside a surrogate pair', () => {
  expect(redactor.truncated('password=hunter2hunter2', 14)).toBe('password=[REDA');
  expect(redactor.truncated('ghp_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0za', 8)).toBe('[REDACTE');
  expect(redactor.truncated('ab😀cd', 3)).toBe('ab');
  expect(redactor.truncated('ab😀cd', 4)).toBe('ab😀');
  expect(redactor.truncated('abc', 3)).toBe('abc');
  for (const max of [0, -1, Number.NaN]) expect(redactor.truncated('abc', max)).toBe('');
  expect(redactor.truncated('abc', Number.POSITIVE_INFINITY)).toBe('abc');
});

test('remembers clean texts until a new secret is protected', () => {
  const remembering = createRedactor({ remembered: 2 });
  const texts = ['one', 'two', 'three', 'sesame-street', 'token=abc', 'x'.repeat(1000)];
  for (const _round of [1, 2, 3]) {
    expect(texts.map((text) => remembering.text(text))).toEqual(texts.map((text) => redactor.text(text)));
  }
  expect(remembering.text('sesame-street')).toBe('sesame-street');
  const forget = remembering.protect('sesame');
  expect(remembering.text('sesame-street')).toBe('[REDACTED]-street');
  expect(remembering.value({ at: 'sesame-street' })).toEqual({ at: '[REDACTED]-street' });
  forget();
  expect(remembering.text('sesame-street')).toBe('sesame-street');
});

test('JSON stays JSON', () => {
  const input = {
    password: 'a"b\\',
    n: { token: 12.5, list: [{ secret: ['x', 1, null] }] },
    body: JSON.stringify({ apiKey: 'q"q', pin: 42, inner: JSON.stringify({ token: 'z\\' }) }),
    headers: [['cookie', 'a=b'], { name: 'authorization', value: 'Basic YTpi' }],
  };
  for (const indent of [0, 2]) {
    const output = JSON.parse(redactor.text(JSON.stringify(input, null, indent)));
    expect(output).toEqual(redactor.value(input));
    expect(JSON.parse(JSON.parse(output.body).inner)).toEqual({ token: '[REDACTED]' });
  }
});

test('hides a text of mostly secrets as a whole, but not a large ordinary one', () => {
  expect(redactor.text('token=a '.repeat(DENSE_SPANS + 1))).toBe('[REDACTED]');
  expect(redactor.text('token=a '.repeat(DENSE_SPANS))).toBe('token=[REDACTED] '.repeat(DENSE_SPANS));
  const line = `GET /path?token=a ${'x'.repeat(DENSE_CHARACTERS)}\n`;
  expect(redactor.text(line.repeat(DENSE_SPANS + 1))).toBe(
    line.replace('=a', '=[REDACTED]').repeat(DENSE_SPANS + 1),
  );
});

/** Syntax of every rule, so that random texts reach the edge cases where rules interact. */
const PIECES = [
  ...[
    'token',
    'password',
    'Authorization',
    'Cookie',
    'Set-Cookie',
    'x-api-key',
    'name',
    'value',
    'code',
    'key',
    'kty',
  ],
  ...[
    '"',
    "'",
    '`',
    '\\',
    '\\"',
    '\\\\"',
    '&quot;',
    '%22',
    '\\u0022',
    '\\u0026',
    '&amp;',
    '%26',
    '%3D',
    '%',
    '&',
  ],
  ...[
    ':',
    '=',
    ': ',
    '= ',
    '=>',
    '==',
    ' ',
    '\n',
    '\\n',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '</',
    ',',
    ';',
    '|\n  ',
  ],
  ...[
    '[REDACTED]',
    '[REDACTED',
    'REDACTED]',
    'null',
    'true',
    '12345',
    'abc123',
    'é',
    '😀',
    '\ud800',
    '$' + '{X}',
    '$',
    '-',
  ],
  ...[
    'Bearer ',
    'Basic ',
    'Digest a=',
    'login ',
    "password '",
    'curl ',
    '-u ',
    '--password ',
    'a:b',
    '#',
    '?',
    '/',
    '.',
  ],
  ...[
    '//',
    'https://',
    '@',
    'user',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    '<token>',
    'Path=/',
  ],
  ...[
    'eyJhbGciOiJIUzI1NiJ9',
    'eyJzdWIi',
    'ghp_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0za',
    'sk-',
    'AKIAIOSFODNN7EXAMPLE',
  ],
];
const laden = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join(''));
const anyText = fc.oneof(
  laden,
  fc.string({ maxLength: 120 }),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);

test('text is idempotent and never throws', () => {
  fc.assert(
    fc.property(anyText, (input) => {
      const once = redactor.text(input);
      expect(redactor.text(once)).toBe(once);
    }),
    { numRuns: 5_000 },
  );
});

test('value is idempotent, never throws and shares nothing with its input', () => {
  const key = fc.oneof(
    laden,
    fc.constantFrom('name', 'value', 'token', 'credentials', 'set-cookie', 'kty', 'd', 'pass'),
  );
  const anyValue = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      laden,
      fc.constantFrom(null, undefined, true, 12, 3n, new Date(0), new Uint8Array(2)),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(key, tie('node'), { maxKeys: 4 }),
      fc.array(fc.tuple(key, tie('node')), { maxLength: 3 }).map((entries) => new Map(entries)),
    ),
  })).node;
  fc.assert(
    fc.property(anyValue, (input) => {
      const once = redactor.value(input);
      expect(redactor.value(once)).toEqual(once);
      if (typeof input === 'object' && input !== null) expect(once).not.toBe(input);
    }),
    { numRuns: 1_000 },
  );
});

test('hides a whole secret with backslashes on its own line and keeps an escaped header after it', () => {
  const { text } = createRedactor();
  for (const secret of ['q7\\rAAAA=AAz8', 'q7\\n"AAAAAAz8', 'q7\\r\\AAAAAAz8', 'q7\\nAAAA:AAAAz8']) {
    expect(text(`Authorization: Bearer ${secret}`)).toBe('Authorization: Bearer [REDACTED]');
  }
  const escaped = String.raw`Authorization: Bearer abc123def\r\nHost: example.com\r\n`;
  expect(text(escaped)).toBe(String.raw`Authorization: Bearer [REDACTED]\r\nHost: example.com\r\n`);
});

test.each([
  ['AUTH=my-secret-value', 'AUTH=[REDACTED]'],
  ['myauth=abcdef123456', 'myauth=[REDACTED]'],
  ['https://a.example/?basic_auth=canaryB1', 'https://a.example/?basic_auth=[REDACTED]'],
  ['{"proxy-auth":"hunter2"}', '{"proxy-auth":"[REDACTED]"}'],
  ['{"auth":["one","two"]}', '{"auth":["[REDACTED]","[REDACTED]"]}'],
  [
    '{"tokens":["a1","b2"],"secrets":{"x":["y"]}}',
    '{"tokens":["[REDACTED]","[REDACTED]"],"secrets":{"x":["[REDACTED]"]}}',
  ],
])('hides in %s', (input, expected) => {
  expect(createRedactor().text(input)).toBe(expected);
});

test.each([
  'auth: jwt',
  'auth=none',
  '{"auth":"basic"}',
  '--auth none',
  '{"tokens":12}',
  '{"max_tokens":[1,2]}',
  'credential: env:OPENAI_API_KEY',
])('keeps %s', (input) => {
  expect(createRedactor().text(input)).toBe(input);
});

test('hides every string under a sensitive key of a value, including lists', () => {
  const value = {
    tokens: ['a', { b: ['c'] }, 3],
    passwords: { x: 'y' },
    basic_auth: 'user1:pass1',
    auth: { type: 'jwt', password: 'p' },
    httpAuth: ['u', 'p'],
  };
  expect(createRedactor().value(value)).toEqual({
    tokens: [MASK, { b: [MASK] }, 3],
    passwords: { x: MASK },
    basic_auth: MASK,
    auth: { type: 'jwt', password: MASK },
    httpAuth: [MASK, MASK],
  });
});
