import { expect, test } from 'vitest';
import { trimEnd } from './trim-end.js';

test.each([
  ['a//', 'a'],
  ['a/b', 'a/b'],
  ['//a/', '//a'],
  ['///', ''],
  ['', ''],
])('%j without its trailing slashes is %j', (text, trimmed) => {
  expect(trimEnd(text, '/')).toBe(trimmed);
});
