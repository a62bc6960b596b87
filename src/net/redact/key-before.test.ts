/** The name before a separator is read back within bounds. */
import { expect, test } from 'vitest';
import { keyBefore, keyInForm } from './key-before.js';

const before = (text: string) => keyBefore(text, text.length);
const blanks = (count: number): string => ' '.repeat(count);

test.each(['', ' ', '(', 'a b!', `a${blanks(33)}`])('there is no name before the end of %j', (text) => {
  expect(before(text)).toBeUndefined();
});

test.each([
  ['a', 'a', 0],
  ['a.b-c_$1', 'a.b-c_$1', 0],
  [`x a${blanks(32)}`, 'a', 2],
  ['a'.repeat(90), 'a'.repeat(80), 10],
  ['"a bc"', 'a bc', 1],
  ['"a bc "', 'a bc ', 1],
  [`"${'ab '.repeat(40)}x"`, `${'ab '.repeat(40)}x`.slice(-80), 42],
  ['a[0][1][2][3]', 'a', 0],
  ['a[0][1][2][3][4]', '0', 2],
  ['a%5B0%5d', 'a', 0],
  ['a[bc]', 'bc', 2],
  ['\\npassword', 'password', 2],
  ['\\name', 'name', 1],
  ['%26token', 'token', 3],
])('the name before the end of %j is %j, from %i', (text, name, start) => {
  expect(before(text)).toMatchObject({ name, start });
});

test.each([
  ['code', true],
  ['?code', true],
  ['&code', true],
  ['#code', true],
  ['&amp;code', true],
  ['&#38;code', true],
  ['&#X26;code', true],
  ['%26code', true],
  ['\\u0026code', true],
  [' code', false],
  [';code', false],
  ['&amp;;code', false],
  ['\\ncode', false],
  ['\\code', false],
  ['"code"', false],
])('the name before the end of %j belongs to a query: %s', (text, inQuery) => {
  expect(before(text)?.inQuery).toBe(inQuery);
});

test('notes the quote that opens before the name of a credential, and before no other name', () => {
  expect([before('"token')?.opened, before('"a')?.opened]).toEqual([
    { literal: '"', backslashes: 0 },
    undefined,
  ]);
});

test.each([
  [`api${blanks(4)}key`, 'secret'],
  [`api${blanks(5)}key`, 'key'],
  ['api/key', 'key'],
  ['API KEY', 'secret'],
  ['my key', 'key'],
  ['my id', 'plain'],
  [`pw-${'a'.repeat(28)} key`, 'secret'],
  [`pw-${'a'.repeat(29)} key`, 'key'],
  ['Unexpected token', 'plain'],
  ['expected\ttoken', 'plain'],
  ['an illegal token', 'plain'],
  ['unexpected  token', 'secret'],
  ['unexpected Token', 'secret'],
])('the name before the end of %j is of the kind %s', (text, kind) => {
  expect(before(text)?.kind).toBe(kind);
});

test.each([
  ['password[a][b]', 'secret'],
  ['password["a"]', 'secret'],
  ['password%5Ba%5D', 'secret'],
  ['x=password[a]', 'plain'],
  ['password]"a', 'plain'],
  [`password[${'a'.repeat(109)}][b]`, 'secret'],
  [`password[${'a'.repeat(110)}][b]`, 'plain'],
])('in a form, the name before the end of %j is of the kind %s', (text, kind) => {
  const key = before(text);
  expect(key && keyInForm(text, key).kind).toBe(kind);
});
