import { expect, test } from 'vitest';
import { SondeError } from '../errors.js';
import { failureText, isPermanent, JobFailure, retryAfterOf } from './job-failure.js';

test.each([
  ['a code', new SondeError('timeout', 'no response'), 'timeout: no response'],
  ['a message', new TypeError('no such thing'), 'no such thing'],
  ['nothing but a name', new TypeError(), 'TypeError'],
  ['no error at all', 'a text', 'a text'],
])('what has %s is described by it', (_name, thrown, text) => {
  expect(failureText(thrown)).toBe(text);
});

test.each([
  ['a failure that stays', new JobFailure('x', { permanent: true }), true],
  ['a failure that may pass', new JobFailure('x', { permanent: false }), false],
  ["the caller's fault", new SondeError('INVALID_REQUEST', 'x'), true],
  ['a target that may recover', new SondeError('timeout', 'x'), false],
  ["the server's fault", new SondeError('INTERNAL', 'x'), false],
  ['what nobody foresaw', new TypeError('x'), false],
])('%s: permanent is as expected', (_name, thrown, permanent) => {
  expect(isPermanent(thrown)).toBe(permanent);
});

test('a retry waits as long as the target asked, and never a negative time', () => {
  const after = (retryAfterMs?: number) =>
    retryAfterOf(new JobFailure('x', { permanent: false, retryAfterMs }));
  expect([after(7_000), after(-1), after(), retryAfterOf(new Error('x'))]).toEqual([7_000, 0, 0, 0]);
});

test('a failure keeps its cause', () => {
  const cause = new Error('first');
  expect(new JobFailure('x', { permanent: true, cause }).cause).toBe(cause);
  expect('cause' in new JobFailure('x', { permanent: true })).toBe(false);
});
