import { expect, test } from 'vitest';
import { normalEscapes } from './normal-escapes.js';

test.each([
  ['/%7Ea/%7eb', '/~a/~b'],
  ['%41%7a%30%2D%2e%5F', 'Az0-._'],
  ['/%2f/%C3%bc/%20', '/%2F/%C3%BC/%20'],
  ['100%/%zz/%4', '100%/%zz/%4'],
  ['/plain', '/plain'],
])('%s becomes %s', (text, expected) => {
  expect(normalEscapes(text)).toBe(expected);
});
