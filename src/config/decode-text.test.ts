import { expect, test } from 'vitest';
import { decodeText } from './decode-text.js';
import type { SettingRow } from './setting-rows.js';

const decode = (takes: SettingRow['takes'], given: string | readonly string[]) =>
  decodeText({ takes }, given);

test.each([
  ['list', ' a , b,,c ', ['a', 'b', 'c']],
  ['list', ['a,b', 'c'], ['a', 'b', 'c']],
  ['list', '', []],
  ['map', 'a=1, b=2', { a: '1', b: '2' }],
  ['map', ['a=1', 'a=2=3'], { a: '2=3' }],
  ['map', 'a=1,b', ['a=1', 'b']],
  ['json', ['[1', '[2]'], [2]],
  ['json', '[1', '[1'],
  ['number', '12', 12],
  ['number', ['1', '2'], 2],
  ['number', '123456789012345', 123_456_789_012_345],
  ['number', '1234567890123456', '1234567890123456'],
  ['number', '10s', '10s'],
  ['number', ' 1', ' 1'],
  ['number', '', ''],
  ['text', ['a', ' b '], ' b '],
  ['text', [], ''],
] as const)('%s: %j is %j', (takes, given, expected) => {
  expect(decode(takes, given)).toEqual(expected);
});
