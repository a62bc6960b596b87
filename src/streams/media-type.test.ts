import { expect, test } from 'vitest';
import { contentTypeOr, essenceOf, isJson, isText } from './media-type.js';

test.each([
  ['text/plain', 'text/plain'],
  ['Text/Plain; charset=utf-8', 'text/plain'],
  [' application/JSON ;a=b;c=d', 'application/json'],
  ['', ''],
])('the essence of %j is %j, however often it is computed', (type, essence) => {
  expect([essenceOf(type), essenceOf(type)]).toEqual([essence, essence]);
});

test.each([
  [null, 'application/octet-stream'],
  ['', 'application/octet-stream'],
  ['  ', 'application/octet-stream'],
  [' text/html; charset=x ', 'text/html; charset=x'],
])('a stream created with the type %j has the type %j', (given, type) => {
  expect(contentTypeOr(given)).toBe(type);
});

test.each([
  ['application/json', true, true],
  ['application/json; charset=utf-8', true, true],
  ['application/jsonl', false, false],
  ['text/event-stream', false, true],
  ['application/text/', false, false],
  ['image/png', false, false],
])('%s: JSON %j, sent as text %j', (type, json, text) => {
  expect([isJson(type), isText(type)]).toEqual([json, text]);
});
