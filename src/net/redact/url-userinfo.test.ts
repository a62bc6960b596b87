/** The redactor hides userinfo in URLs of every scheme and encoding, and keeps the host and everything else. */
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();

test.each([
  ['postgres://user:p%40ss@h/db', 'postgres://[REDACTED]@h/db'],
  ['mongodb+srv://u:pw12@cluster0.mongodb.net/x', 'mongodb+srv://[REDACTED]@cluster0.mongodb.net/x'],
  ['amqp://guest:guest1@mq:5672/', 'amqp://[REDACTED]@mq:5672/'],
  ['https:\\/\\/alice:hunter2@example.com\\/p', 'https:\\/\\/[REDACTED]@example.com\\/p'],
  ['https%3A%2F%2Falice%3Ahunter2%40example.com%2Fp', 'https%3A%2F%2F[REDACTED]%40example.com%2Fp'],
  [
    'https://x-access-token:ghs_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zaB3dE@github.com/a/b',
    'https://[REDACTED]@github.com/a/b',
  ],
  [
    'Error: connect failed for redis://default:pw123456@r.io:6380?tls=1',
    'Error: connect failed for redis://[REDACTED]@r.io:6380?tls=1',
  ],
  ['postgres://u:p/w#x?y@h:5432/db', 'postgres://[REDACTED]@h:5432/db'],
  ['//alice:hunter2@example.com/x', '//[REDACTED]@example.com/x'],
  ['https://abcdef@o1.ingest.sentry.io/2', 'https://[REDACTED]@o1.ingest.sentry.io/2'],
])('hides the secret of %j', (input, expected) => {
  expect(text(input)).toBe(expected);
  expect(text(expected)).toBe(expected);
});

test.each([
  'ssh://git@github.com/a/b.git',
  'git@github.com:a/b.git',
  'mail jane@example.com or https://x.io/?m=a@b.c',
  'https://host:8080/@scope/x',
  'oci://r.io/img:tag@sha256:abcdef',
  'https://example.com:8080/a:b@c',
  'https://npm.im/@scope/pkg@1.2.3',
  'see https://example.com or write to jane@example.com',
  'https%3A%2F%2Fexample.com%2Fa%40b',
  'http://@host/x',
])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
