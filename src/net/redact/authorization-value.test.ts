/** The redactor keeps the scheme of an Authorization value and hides the rest. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  [
    'Authorization: Digest username="Mufasa", realm="r", nonce="dcd98b7102", response="6629fae49393a05397450978507c4ef1"',
    'Authorization: Digest [REDACTED]',
  ],
  ['Authorization: Token token="abc123def456"', 'Authorization: Token [REDACTED]'],
  ['Authorization: ApiKey abcdef', 'Authorization: ApiKey [REDACTED]'],
  ['Authorization: AWS AKIAIOSFODNN7EXAMPLE:frJIUN8DYpKDtOLCwo//yllqDzg=', 'Authorization: AWS [REDACTED]'],
  ['authorization=Bearer abc.def-ghi status=200', 'authorization=Bearer [REDACTED] status=200'],
  [
    "curl -H 'Authorization: Bearer abc123' https://x.io",
    "curl -H 'Authorization: Bearer [REDACTED]' https://x.io",
  ],
  [
    '{"raw":"Host: x\\r\\nAuthorization: Bearer b1c2d3\\r\\nAccept: y"}',
    '{"raw":"Host: x\\r\\nAuthorization: Bearer [REDACTED]\\r\\nAccept: y"}',
  ],
  ['Authorization: abc123', 'Authorization: [REDACTED]'],
  ['Authorization: Custom abc123', 'Authorization: Custom [REDACTED]'],
  ['authorization: bearer abc, host: h', 'authorization: bearer [REDACTED], host: h'],
  ['Authorization: Hawk id="a", mac="b="\nHost: h', 'Authorization: Hawk [REDACTED]\nHost: h'],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test.each([
  'Authorization: required',
  'Authorization: Bearer',
  'WWW-Authenticate: Digest realm="x", nonce="y"',
])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
