/** The redactor hides cookie values and keeps names and harmless attributes. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  ['Cookie: session=abc123def; theme=dark', 'Cookie: session=[REDACTED]; theme=[REDACTED]'],
  ['Set-Cookie: sid=abc123; Path=/; HttpOnly', 'Set-Cookie: sid=[REDACTED]; Path=/; HttpOnly'],
  ['set-cookie: id="a b c"; Secure', 'set-cookie: id=[REDACTED]; Secure'],
  [
    'GET / HTTP/1.1\r\nHost: x\r\nCookie: a=b1c2d3\r\nAccept: y\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nCookie: a=[REDACTED]\r\nAccept: y\r\n',
  ],
  [
    '{"raw":"Host: x\\r\\nCookie: a=b1c2d3\\r\\nAccept: y"}',
    '{"raw":"Host: x\\r\\nCookie: a=[REDACTED]\\r\\nAccept: y"}',
  ],
  ['Cookie: [REDACTED]x', 'Cookie: [REDACTED]'],
  ['Cookie: path=/s3cret', 'Cookie: path=[REDACTED]'],
  ['Set-Cookie: path=/s3cret; Path=/', 'Set-Cookie: path=[REDACTED]; Path=/'],
  ['Set-Cookie: a=b1; Path=/, c=d2; Secure', 'Set-Cookie: a=[REDACTED]; Path=[REDACTED]; Secure'],
  [
    'Set-Cookie: a=b1; Expires=Wed, 09 Jun 2021 10:18:14 GMT; SameSite=Lax',
    'Set-Cookie: a=[REDACTED]; Expires=Wed, 09 Jun 2021 10:18:14 GMT; SameSite=Lax',
  ],
  ['Set-Cookie: a=b1; Domain=secret value', 'Set-Cookie: a=[REDACTED]; Domain=[REDACTED]'],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test.each(['Cookie: ', 'cookie_consent: yes'])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
