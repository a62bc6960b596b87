import { expect, test } from 'vitest';
import { JSON_DEPTH_MAX, JSON_VALUES_MAX, parseJson } from './parse-json.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('parses JSON up to the nesting limit', () => {
  expect(() => parseJson(nested(JSON_DEPTH_MAX))).not.toThrow();
  expect(parseJson('{"a":[1,{"b":"[[["}]}')).toEqual({ a: [1, { b: '[[[' }] });
});

test.each([
  ['one level too deep', nested(JSON_DEPTH_MAX + 1)],
  ['objects', '{"a":'.repeat(JSON_DEPTH_MAX + 1)],
  ['arrays that are never closed', '['.repeat(1_000_000)],
  ['brackets after a string that ends in an escaped quote', `["\\"",${'['.repeat(JSON_DEPTH_MAX)}`],
])('refuses %s before parsing', (_name, text) => {
  expect(() => parseJson(text)).toThrow(/nested more than 128 levels/);
});

test('refuses more values than the limit before parsing, and parses as many as it allows', () => {
  const values = (n: number) => `[${'0,'.repeat(n - 1)}0]`;
  expect(parseJson(values(JSON_VALUES_MAX))).toHaveLength(JSON_VALUES_MAX);
  expect(() => parseJson(values(JSON_VALUES_MAX + 1))).toThrow(/more than 1000000 values/);
  expect(parseJson(JSON.stringify([','.repeat(JSON_VALUES_MAX + 1)]))).toHaveLength(1);
});

test('brackets inside strings do not count', () => {
  expect(parseJson(JSON.stringify(['['.repeat(1000), '\\"['.repeat(200)]))).toHaveLength(2);
});

test.each(['', '{', '"', '"\\', 'nul'])('refuses %j', (text) => {
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});
