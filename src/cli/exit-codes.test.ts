import { expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode, SondeError } from '../errors.js';
import { EXIT_CODES, exitCodeLines, exitCodeOf } from './exit-codes.js';

const exitOf = (code: ErrorCode) => exitCodeOf(new SondeError(code, 'x'));

test('the fault of an error decides its exit code', () => {
  expect(exitOf('USAGE')).toBe(2);
  expect(exitOf('CONFIG_INVALID_VALUE')).toBe(2);
  expect(exitOf('FILE_UNREADABLE')).toBe(2);
  expect(exitOf('SECRETS_UNUSABLE')).toBe(2);
  expect(exitOf('invalid_url')).toBe(2);
  expect(exitOf('dns_error')).toBe(3);
  expect(exitOf('timeout')).toBe(3);
  expect(exitOf('INTERNAL')).toBe(4);
  expect(exitOf('LISTEN_FAILED')).toBe(4);
  // A refusal by an API is an API error, although the caller caused it.
  expect(exitOf('FORBIDDEN')).toBe(4);
  expect(exitOf('canceled')).toBe(130);
});

test('every error code has a failing exit code', () => {
  const known = Object.values(EXIT_CODES).map(({ code }) => code);
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
    expect(known).toContain(exitOf(code));
    expect(exitOf(code)).not.toBe(0);
  }
});

test('every exit code is described', () => {
  expect(exitCodeLines()).toHaveLength(Object.keys(EXIT_CODES).length);
});
