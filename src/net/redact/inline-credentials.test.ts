/** The redactor hides a value after an everyday word only if it looks like a credential. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  ['got Basic dXNlcjpwYXNzd29yZA and stopped', 'got Basic [REDACTED] and stopped'],
  ['machine x.io login bob password hunter22', 'machine x.io login bob password [REDACTED]'],
  ["ALTER USER bob PASSWORD 'hunter22'", "ALTER USER bob PASSWORD '[REDACTED]'"],
  ['mysql -u root -phunter22 db', 'mysql -u root -p[REDACTED] db'],
  ['sshpass -p hunter22 ssh x', 'sshpass -p [REDACTED] ssh x'],
  ['Bearer abcdef1234567890', 'Bearer [REDACTED]'],
  ['a\\nBearer abcdef123456', 'a\\nBearer [REDACTED]'],
  ['docker login -u bob -p hunter22 r.io', 'docker login -u bob -p [REDACTED] r.io'],
  ['redis-cli -h r.io -a hunter22 ping', 'redis-cli -h r.io -a [REDACTED] ping'],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test.each([
  'Basic authentication is required',
  'the bearer of bad news',
  'Bearer authentication failed',
  'Bearer error="invalid_token", error_description="The token expired"',
  'bearer token required',
  'docker login -u bob r.io',
  'mysql -u root db',
  'please login and change password soon',
])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
