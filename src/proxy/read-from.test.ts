import { expect, test } from 'vitest';
import { readFrom } from './read-from.js';

const from = (query: string) => readFrom(new URLSearchParams(query));

test.each(['', 'offset=-1', 'offset=-1&live=sse', 'offset=1&offset=2'])('%j sets no place', (query) => {
  expect(from(query)).toBeUndefined();
});

test.each([
  ['offset=-1&live=raw', { offset: '-1', skip: 0 }],
  ['offset=x&skip=0', { offset: 'x', skip: 0 }],
  ['offset=x&skip=12&live=raw', { offset: 'x', skip: 12 }],
  ['offset=x&skip=999999999999999', { offset: 'x', skip: 999_999_999_999_999 }],
])('%j is the place %j', (query, place) => {
  expect(from(query)).toEqual(place);
});

test.each([
  ['live=raw', 'exactly one offset'],
  ['skip=1', 'exactly one offset'],
  ['skip=1&offset=a&offset=b', 'exactly one offset'],
  ['live=raw&offset=a&offset=b', 'exactly one offset'],
  ['offset=a&skip=1&skip=1', 'given once'],
  ['offset=a&skip=', 'a whole number'],
  ['offset=a&skip=-1', 'a whole number'],
  ['offset=a&skip=x1', 'a whole number'],
  ['offset=a&skip=1x', 'a whole number'],
  ['offset=a&skip=01', 'a whole number'],
  ['offset=a&skip=1000000000000000', 'a whole number'],
])('%j is refused', (query, message) => {
  expect(() => from(query)).toThrow(expect.objectContaining({ code: 'OFFSET_INVALID' }));
  expect(() => from(query)).toThrow(message);
});
