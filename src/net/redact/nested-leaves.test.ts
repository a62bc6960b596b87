/** The redactor hides every leaf of an object or list under a credential's name, and keeps keys, null and booleans. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  [
    '{"credentials":{"user":"alice","pass":"s3cret","n":42,"x":null}}',
    '{"credentials":{"user":"[REDACTED]","pass":"[REDACTED]","n":"[REDACTED]","x":null}}',
  ],
  ['{"set-cookie":["a=b1c2","c=d3e4"]}', '{"set-cookie":["[REDACTED]","[REDACTED]"]}'],
  [
    "{ credentials: { user: 'alice', pass: 's3cret' }, host: 'h' }",
    "{ credentials: { user: '[REDACTED]', pass: '[REDACTED]' }, host: 'h' }",
  ],
  [
    '"credentials": [1, "a", null, {"b": true, "c": ["d"]}], "e": "kept"',
    '"credentials": ["[REDACTED]", "[REDACTED]", null, {"b": true, "c": ["[REDACTED]"]}], "e": "kept"',
  ],
  ['{"credentials":{"a":"cut o', '{"credentials":{"a":"[REDACTED]'],
  ['{\\"credentials\\":{\\n \\"a\\":1}}', '{\\"credentials\\":{\\n \\"a\\":\\"[REDACTED]\\"}}'],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test.each([
  'access-control-allow-credentials: true',
  'credentials: include',
  'credentials: [Object]',
  '{"credentials":null}',
  '{"credentials":{}}',
])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
