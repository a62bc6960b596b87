/** What becomes of a block of JSON-LD, at its bounds. */
import { expect, it } from 'vitest';
import { jsonFault } from '../../json-fault.js';
import { readJsonLd } from './read-json-ld.js';

it('keeps the value of a block of up to 100,000 characters', () => {
  const block = (chars: number) => `"${'x'.repeat(chars - 2)}"`;
  expect(readJsonLd(block(100_000), 3)).toMatchObject({ line: 3, error: null, cut: false });
  expect(readJsonLd(block(100_001), 3)).toEqual({ line: 3, error: null, cut: true });
});

it.each([
  ['x', 7, 1],
  ['\n\n  x', 9, 3],
  ['{"a": 1,\n"b" 2}', 8, 5],
])('places the fault of %j at line %i, column %i', (text, line, column) => {
  expect(readJsonLd(text, 7)).toMatchObject({ line: 7, error: { line, column }, cut: false });
});

it.each([
  ['', 0, 'a value was expected, but the text ends'],
  ['nope', 0, 'a value was expected, found "n"'],
  ['"a', 0, 'a string that is not closed or has a bad escape, found "\\""'],
  ['1 2', 2, 'more text after the end of the value, found "2"'],
  ['[1;', 2, 'a comma or ] was expected, found ";"'],
  ['{"a":1;', 6, 'a comma or } was expected, found ";"'],
  ['{ a:1}', 2, 'a name in double quotes was expected, found "a"'],
  ['{"a" 1}', 5, 'a colon was expected, found "1"'],
  ['[ ,', 2, 'a value was expected, found ","'],
])('finds the fault of %j at %i', (text, at, message) => {
  expect(jsonFault(text)).toEqual({ at, message });
});

it('reads values nested 500 deep', () => {
  expect(jsonFault(`${'['.repeat(500)}1${']'.repeat(500)}`)).toBeNull();
  expect(jsonFault(`${'['.repeat(501)}1${']'.repeat(501)}`)).toEqual({
    at: 501,
    message: 'nested deeper than 500, found "1"',
  });
});
