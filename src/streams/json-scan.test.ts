import { describe, expect, test } from 'vitest';
import { JSON_DEPTH_MAX } from '../parse-json.js';
import { JsonScan } from './json-scan.js';

const encode = (text: string) => new TextEncoder().encode(text);

function scanned(...pieces: readonly string[]): JsonScan {
  const scan = new JsonScan();
  for (const piece of pieces) scan.push(encode(piece));
  scan.finish();
  return scan;
}

function accepts(...pieces: readonly string[]): boolean {
  try {
    scanned(...pieces);
    return true;
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Together they pass through every state. */
const DOCUMENTS = [
  '0',
  '-0',
  '12',
  '-3.25',
  '0.5',
  '1e5',
  '0E9',
  '9.0e+1',
  '1E-2',
  'true',
  'false',
  'null',
  '""',
  '"a\u00e9\u{1f600}"',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '"\\u09aF"',
  '[]',
  '[1,2]',
  '[[],{}]',
  '{}',
  '{"a":1}',
  '{"a":"b","c":[0]}',
  ' [ 1 , { "a" : null } ] ',
  '\t{\n"b"\r:\t-1\n}\r',
];

/** Every character of the grammar and its neighbours in ASCII. */
const CHARACTERS = [
  ...'\0\b\t\n\v\f\r\x1f !"#*+,-./0189:;@ABEFGJUZ[\\]^`abefgnrtuxz{|}~\x7f\u00a0',
  'rue',
  '\\u00',
];

describe.each(DOCUMENTS)('%j', (document) => {
  test('is JSON, in one piece and byte by byte', () => {
    expect(accepts(document)).toBe(true);
    expect(accepts(...document)).toBe(true);
  });

  test('with one character inserted or a part cut off, is JSON if JSON.parse says so', () => {
    const wrong: string[] = [];
    const check = (text: string) => accepts(text) !== isJson(text) && wrong.push(text);
    for (let at = 0; at <= document.length; at++) {
      check(document.slice(0, at));
      check(document.slice(at));
      for (const character of CHARACTERS) check(document.slice(0, at) + character + document.slice(at));
    }
    expect(wrong).toEqual([]);
  });
});

const REFUSED = [
  '',
  '[',
  '1 2',
  '{a:1}',
  '{"a";1}',
  '{"a":1,}',
  '[1;2]',
  '[,]',
  '"\u0001"',
  '"\\x"',
  '"\\u000g"',
];

test.each([...REFUSED, 'nul1', '-', '-a', '01', '1.x', '1e', '1ex', '1e+x'])(
  '%j is refused with a code',
  (text) => {
    expect(() => scanned(text)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    // With more to come, the refusal must not wait for it.
    if (text.length > 1)
      expect(() => scanned(`${text}  `)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  },
);

test.each([
  ['[]', true, true],
  ['[ ]', true, true],
  ['[1]', true, false],
  ['[[]]', true, false],
  ['[[],1]', true, false],
  ['{"a":[]}', false, false],
  ['"[]"', false, false],
  ['{}', false, false],
])('%j: the top-level value is an array %j, and an empty one %j', (text, isArray, isEmpty) => {
  expect(scanned(text)).toMatchObject({ isArray, isEmpty });
});

test.each([
  ['[', ']'],
  ['{"a":', '}'],
])('brackets %s…%s nest to the limit and no deeper', (open, close) => {
  const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
  expect(accepts(nested(JSON_DEPTH_MAX))).toBe(true);
  expect(() => scanned(nested(JSON_DEPTH_MAX + 1))).toThrow('nested more than');
});
