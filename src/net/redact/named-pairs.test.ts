/** The redactor hides the value of a name/value pair if the name is a credential's, in either order. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  ['{"name":"Authorization","value":"Bearer abc123"}', '{"name":"Authorization","value":"[REDACTED]"}'],
  ['{"value":"Bearer abc123","name":"Authorization"}', '{"value":"[REDACTED]","name":"Authorization"}'],
  ['{"key":"password","value":"hunter22"}', '{"key":"password","value":"[REDACTED]"}'],
  [
    '<input type="password" name="password" value="hunter22">',
    '<input type="password" name="password" value="[REDACTED]">',
  ],
  ['<add key="DbPassword" value="hunter22"/>', '<add key="DbPassword" value="[REDACTED]"/>'],
  ['<meta name="csrf-token" content="abc123">', '<meta name="csrf-token" content="[REDACTED]">'],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test.each([
  '{"in":"header","name":"x-api-key","description":"the key"}',
  '{"name":"Accept","value":"text/html"}',
  '{"name":"Authorization"},{"value":"kept"}',
])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
