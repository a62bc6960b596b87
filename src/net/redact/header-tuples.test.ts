/** The redactor hides a value next to its header name in a list, and keeps a list of names. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  ['[["Authorization","Bearer abc123"],["Host","x.io"]]', '[["Authorization","[REDACTED]"],["Host","x.io"]]'],
  [
    '["Host","x.io","Cookie","a=b1c2d3","Accept","*/*"]',
    '["Host","x.io","Cookie","[REDACTED]","Accept","*/*"]',
  ],
  ['["token","q7AAAPwAAAz8"]', '["token","[REDACTED]"]'],
  ["[ 'x-api-key', 'abc123' ]", "[ 'x-api-key', '[REDACTED]' ]"],
  ['["set-cookie",["a=b1","c=d2"]]', '["set-cookie",["[REDACTED]","[REDACTED]"]]'],
  ['["password","hunter22"]', '["password","[REDACTED]"]'],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test.each([
  '["authorization","content-type","x-api-key","accept"]',
  '["username","password","remember"]',
  '["password","token"]',
  '{"type":"x-api-key","in":"header"}',
])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
