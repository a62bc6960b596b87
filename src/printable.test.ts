import { describe, expect, test } from 'vitest';
import { printable, printableLine } from './printable.js';

describe('printable text', () => {
  test.each([
    ['a sequence of the terminal', 'a\u001b]0;x\u0007b', 'a\\u001b]0;x\\u0007b'],
    ['C1 and DEL', '\u009b31m\u007f\u0085', '\\u009b31m\\u007f\\u0085'],
    ['a return without a line feed', 'a\rb', 'a\\u000db'],
    ['bidirectional controls', 'a\u202eb\u2066c\u200f\u061c', 'a\\u202eb\\u2066c\\u200f\\u061c'],
    ['separators of lines and paragraphs', '\u2028\u2029', '\\u2028\\u2029'],
    ['halves of pairs', 'a\ud83d \ude00', 'a\\ud83d \\ude00'],
    ['characters without width', 'a\u200b\u2060\ufeff\u3164', 'a\\u200b\\u2060\\ufeff\\u3164'],
    ['joiners beside ASCII', 'a\u200db \u200c', 'a\\u200db \\u200c'],
    ['tags', '\u{e0041}', '\\udb40\\udc41'],
    ['noncharacters', '\ufdd0\ufffe', '\\ufdd0\\ufffe'],
    ['commands anywhere', 'a ##[x] ##vso[y] ##teamcity[z', 'a #\\u0023[x] #\\u0023vso[y] #\\u0023teamcity[z'],
    ['commands at the start of a line', '::a\n \u00a0::b', '\\u003a:a\n \u00a0\\u003a:b'],
    ['group headers', '--- a\n+++ b\n~~~ c', '\\u002d-- a\n\\u002b++ b\n\\u007e~~ c'],
  ])('has no %s', (_what, text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(printable(shown)).toBe(shown);
  });

  test.each([
    'tabs\tand lines\r\nand lines\n',
    'a::b [::1] # ## heading |---| ---',
    '👩‍💻 می‌خواهم ✔️ Ünï 中文 😀',
  ])('stays as it is: %j', (text) => {
    expect(printable(text)).toBe(text);
  });

  test('keeps the meaning of JSON', () => {
    const value = { 'k\u202e': '\u001b[31m \u009b ##[x] \ud83d \u{e0041}', '::a': ['::b'] };
    const shown = printable(JSON.stringify(value));
    expect(shown).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(shown)).toEqual(value);
  });

  test('is one line if asked', () => {
    expect(printableLine('a\r\n\t::b\u2028c\u0085d')).toBe('a ::b c d');
  });
});
