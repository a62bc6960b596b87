/** Quotes are found in every form, and a value ends at the quote that closes it or at the end of its line. */
import { expect, test } from 'vitest';
import { pastPrefix, quoteAt, quoteBefore, quotedValue } from './quotes.js';

const slashes = (count: number): string => '\\'.repeat(count);

test.each([
  ['"', 0],
  ["'", 0],
  ['`', 0],
  ['\\"', 1],
  [`${slashes(3)}'`, 3],
  [`${slashes(64)}"`, 64],
  ['&quot;', -1],
  ['&APOS;', -1],
  ['&#34;', -1],
  ['&#39;', -1],
  ['&#x22;', -1],
  ['&#X27;', -1],
  ['%22', -1],
  ['%27', -1],
  ['%25252527', -1],
  ['\\u0022', -1],
  [`${slashes(8)}U0027`, -1],
])('reads the quote %j forwards and backwards', (literal, backslashes) => {
  const quote = { literal, backslashes };
  expect(quoteAt(literal, 0)).toEqual(quote);
  expect(quoteAt(`ab${literal}x`, 2)).toEqual(quote);
  expect(quoteBefore(literal, literal.length)).toEqual(quote);
  expect(quoteBefore(`ab${literal}x`, literal.length + 2)).toEqual(quote);
});

test.each(['', 'x', ';', '2', '7', '&quot', '&amp;', '%23', '\\', '\\x', '\\u0023', `${slashes(65)}"x`])(
  'no quote begins with %j',
  (text) => {
    expect(quoteAt(text, 0)).toBeUndefined();
  },
);

test.each(['', 'x', ';', '2', '7', '&quot;x;', '%22x7', '"x2', '&amp;', 'u0022'])(
  'no quote ends %j',
  (text) => {
    expect(quoteBefore(text, text.length)).toBeUndefined();
  },
);

test.each([
  ['""', '""'],
  ["x'''", "'''"],
  ['x""""', '"""'],
  ['x"\'', "'"],
])('several quotes at the end of %j are read as %j', (text, literal) => {
  expect(quoteBefore(text, text.length)).toEqual({ literal, backslashes: literal.length > 1 ? -1 : 0 });
});

test('reads at most 64 backslashes back', () => {
  expect(quoteBefore(`${slashes(70)}"`, 71)).toEqual({ literal: `${slashes(64)}"`, backslashes: 64 });
});

test.each([...'bBuUrRfFL$@'])('a string may have the prefix %s before plain quotes', (prefix) => {
  expect(
    [`${prefix}"`, `${prefix}'`, `${prefix}\``, `x${prefix}`].map((text) => pastPrefix(text, 0)),
  ).toEqual([1, 1, 0, 0]);
});

const contentOf = (text: string): readonly [content: string, rest: string] => {
  const quote = quoteAt(text, 0);
  if (quote === undefined) throw new Error('no quote');
  const value = quotedValue(text, 0, quote);
  return [text.slice(value.start, value.end), text.slice(value.next)];
};

test.each([
  ['"a" b', 'a', ' b'],
  ['"" b', '', ' b'],
  ['"""', '', '"'],
  ['"""), b', '', '"), b'],
  ['""" b', ' b', ''],
  ['"""a"b""" c', 'a"b', ' c'],
  ["'''a\nkey: b''' c", 'a\nkey: b', ' c'],
  ['""a"",b', 'a', ',b'],
  ["''a''\"", 'a', '"'],
  ['""a"b""', '', 'a"b""'],
  ['""a\n""', '', 'a\n""'],
  ['"".join(a, "")', '', '.join(a, "")'],
  ['""/><b c="">', '', '/><b c="">'],
  ['"a""b" c', 'a""b', ' c'],
  ['"a""" b', 'a""', ' b'],
  ['"a\\"" b', 'a\\"', ' b'],
  ['"a\\""}', 'a\\"', '}'],
  ['"a\\""b" c', 'a\\""b', ' c'],
  ['"a"", b', 'a"", b', ''],
  ['"a\\\\" b', 'a\\\\', ' b'],
  ['"a\\\\\\"b" c', 'a\\\\\\"b', ' c'],
  ['\\"a\\" b', 'a', ' b'],
  ['\\"a" b', 'a', ' b'],
  ['\\"a"" b', 'a', '" b'],
  ['\\"a\\\\\\"b\\" c', 'a\\\\\\"b', ' c'],
  ['\\"\\" b', '', ' b'],
  ['%22a%22 b', 'a', ' b'],
  ['%22%22 b', '', ' b'],
  ['%22a%5C%22b%22 c', 'a%5C%22b', ' c'],
  ['%22a%5c%22%5c%22b%22 c', 'a%5c%22%5c%22b', ' c'],
  ['%22%5cx', '%5cx', ''],
  ['&quot;a" b&quot; c', 'a" b', ' c'],
  ['"a b', 'a b', ''],
  ['"a\nb', 'a', '\nb'],
  ['"a\nb" c', 'a\nb', ' c'],
  ['"a\nkey: "b"', 'a', '\nkey: "b"'],
  [
    `"a\n${' '.repeat(32)}'k.e-y'${' '.repeat(8)}= "b"`,
    'a',
    `\n${' '.repeat(32)}'k.e-y'${' '.repeat(8)}= "b"`,
  ],
])('%j has the content %j, followed by %j', (text, content, rest) => {
  expect(contentOf(text)).toEqual([content, rest]);
});
