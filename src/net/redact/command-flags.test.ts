/** The redactor hides credential flags and curl users, and keeps other flags and users. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  ['curl -u alice:s3cret https://x.io', 'curl -u [REDACTED] https://x.io'],
  ['curl --user "alice:s3 cret" https://x.io', 'curl --user "[REDACTED]" https://x.io'],
  ['curl -ualice:s3cret https://x.io', 'curl -u[REDACTED] https://x.io'],
  ['curl --proxy-user=alice:s3cret https://x.io', 'curl --proxy-user=[REDACTED] https://x.io'],
  ['psql --password hunter22 -h db', 'psql --password [REDACTED] -h db'],
  ['tool --api-key=abc123 --verbose', 'tool --api-key=[REDACTED] --verbose'],
  ["tool --token 'a b c' --verbose", "tool --token '[REDACTED]' --verbose"],
  ['["--password","hunter22"]', '["--password","[REDACTED]"]'],
  ['Invoke-Thing -ApiKey abc123 -Verbose', 'Invoke-Thing -ApiKey [REDACTED] -Verbose'],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test.each([
  'docker run -u 1000:1000 img',
  'use --password to set it',
  'sonde serve --auth jwt --port 8080',
  'tool --token --verbose',
  'tool --user alice',
  'ls -u',
])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
