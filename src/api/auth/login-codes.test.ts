import { expect, test } from 'vitest';
import { EVERYTHING, TestClock } from '../../../test/support/app-for-tests.js';
import { LoginCodes } from './login-codes.js';

test('a code works once', () => {
  const codes = new LoginCodes(new TestClock().now);
  const code = codes.issue(EVERYTHING);
  expect(code).toMatch(/^[A-Za-z0-9_-]{32}$/);
  expect(codes.redeem(code)).toBe(EVERYTHING);
  expect(() => codes.redeem(code)).toThrow('already used');
});

test('a code expires after an hour', () => {
  const clock = new TestClock();
  const codes = new LoginCodes(clock.now);
  const [late, onTime] = [codes.issue(EVERYTHING), codes.issue(EVERYTHING)];
  clock.ms += 60 * 60_000 - 1;
  expect(codes.redeem(onTime)).toBe(EVERYTHING);
  clock.ms += 1;
  expect(() => codes.redeem(late)).toThrow(expect.objectContaining({ code: 'INVALID_LOGIN_CODE' }));
});

test('only the last 16 codes are valid', () => {
  const codes = new LoginCodes(new TestClock().now);
  const issued = Array.from({ length: 17 }, () => codes.issue(EVERYTHING));
  expect(() => codes.redeem(issued[0] ?? '')).toThrow();
  expect(codes.redeem(issued[1] ?? '')).toBe(EVERYTHING);
  expect(new Set(issued).size).toBe(17);
});
