/** The scanners of the redactor stop at their bounds and at the end of the text. */
import { expect, test } from 'vitest';
import {
  anyOf,
  isBase64Url,
  isBlank,
  isSpace,
  isWord,
  lineEnd,
  skipBlanks,
  skipRun,
  startsPair,
} from './char-classes.js';

const blanks = (count: number): string => ' '.repeat(count);
const accepted = (test: (code: number) => boolean): string =>
  Array.from({ length: 400 }, (_, code) => (test(code) ? String.fromCharCode(code) : '')).join('');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

test.each([
  ['a key or parameter name', isWord, `$-.0123456789${LETTERS}_${LETTERS.toLowerCase()}`],
  ['base64url', isBase64Url, `-0123456789${LETTERS}_${LETTERS.toLowerCase()}`],
  ['a given set', anyOf('}a*'), '*a}'],
  ['a blank', isBlank, '\t '],
  ['a space', isSpace, `${String.fromCharCode(...Array(33).keys())}\u00a0`],
] as const)(
  'the characters of %s, and none beyond ASCII that share their low bits',
  (_name, test, expected) => {
    expect(accepted(test)).toBe(expected);
    expect(test(Number.NaN)).toBe(false);
  },
);

test('blanks are skipped up to a bound, which is 64 unless given', () => {
  expect(skipBlanks(`${blanks(3)}x`, 1)).toBe(3);
  expect(skipBlanks(blanks(100), 10)).toBe(74);
  expect(skipBlanks(blanks(100), 10, 8)).toBe(18);
});

test('a run asks only about characters of the text', () => {
  const asked: number[] = [];
  const end = skipRun('abc', 1, (code) => {
    asked.push(code);
    return code > 0;
  });
  expect([end, asked]).toEqual([3, [98, 99]]);
});

test.each([
  ['ab', 0, 2],
  ['ab\ncd', 0, 2],
  ['ab\r\ncd', 1, 2],
  ['ab\ncd', 3, 5],
])('the line of %j from %i ends at %i', (text, from, end) => {
  expect(lineEnd(text, from)).toBe(end);
});

test.each([
  ['a=1', true],
  ['a:1', true],
  ['a 1', false],
  ['=1', false],
  ['', false],
  ['a', false],
  ['a[0]%5D=1', true],
  [`${blanks(8)}a=1`, true],
  [`${blanks(9)}a=1`, false],
  [`a${blanks(4)}=1`, true],
  [`a${blanks(5)}=1`, false],
  [`${'a'.repeat(48)}=1`, true],
  [`${'a'.repeat(49)}=1`, false],
])('%j starts a pair: %s', (text, expected) => {
  expect(startsPair(text, 0)).toBe(expected);
  expect(startsPair(`x${text}`, 1)).toBe(expected);
});

test('a pair can be restricted to one sign', () => {
  expect([startsPair('a=1', 0, '='), startsPair('a:1', 0, '=')]).toEqual([true, false]);
});
