import { expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode, SondeError } from '../errors.js';
import { EXIT_CODES, exitCodeLines, exitCodeOf } from './exit-codes.js';

const exitOf = (code: ErrorCode) => exitCodeOf(new SondeError(code, 'x'));

test('whose fault it is decides', () => {
  expect(exitOf('USAGE')).toBe(2);
  expect(exitOf('CONFIG_INVALID_VALUE')).toBe(2);
  expect(exitOf('FILE_UNREADABLE')).toBe(2);
  expect(exitOf('SECRETS_UNUSABLE')).toBe(2);
  expect(exitOf('invalid_url')).toBe(2);
  expect(exitOf('dns_error')).toBe(3);
  expect(exitOf('timeout')).toBe(3);
  expect(exitOf('INTERNAL')).toBe(4);
  expect(exitOf('LISTEN_FAILED')).toBe(4);
  // An API's refusal is an API error, though the caller's fault.
  expect(exitOf('FORBIDDEN')).toBe(4);
  expect(exitOf('canceled')).toBe(130);
});

test('every error code leads to a failing exit code of the table', () => {
  const known = Object.values(EXIT_CODES).map(({ code }) => code);
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
    expect(known).toContain(exitOf(code));
    expect(exitOf(code)).not.toBe(0);
  }
});

test('every exit code is described', () => {
  expect(exitCodeLines()).toHaveLength(Object.keys(EXIT_CODES).length);
});
