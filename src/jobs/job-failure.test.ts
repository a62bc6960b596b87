import { expect, test } from 'vitest';
import { SondeError } from '../errors.js';
import { failureText, isPermanent, JobFailure, retryAfterOf } from './job-failure.js';

test.each([
  ['an error with a code', new SondeError('timeout', 'no response'), 'timeout: no response'],
  ['an error with a message', new TypeError('no such thing'), 'no such thing'],
  ['an error with only a name', new TypeError(), 'TypeError'],
  ['a thrown text', 'a text', 'a text'],
])('describes %s', (_name, thrown, text) => {
  expect(failureText(thrown)).toBe(text);
});

test.each([
  ['a permanent failure', new JobFailure('x', { permanent: true }), true],
  ['a transient failure', new JobFailure('x', { permanent: false }), false],
  ["the caller's fault", new SondeError('INVALID_REQUEST', 'x'), true],
  ['a target that may recover', new SondeError('timeout', 'x'), false],
  ["the server's fault", new SondeError('INTERNAL', 'x'), false],
  ['an unexpected error', new TypeError('x'), false],
])('isPermanent classifies %s', (_name, thrown, permanent) => {
  expect(isPermanent(thrown)).toBe(permanent);
});

test('a retry waits as long as the target requested, never a negative time', () => {
  const after = (retryAfterMs?: number) =>
    retryAfterOf(new JobFailure('x', { permanent: false, retryAfterMs }));
  expect([after(7_000), after(-1), after(), retryAfterOf(new Error('x'))]).toEqual([7_000, 0, 0, 0]);
});

test.each([[undefined], [null], ['text'], [Object.assign(new Error('x'), { retryAfterMs: 5 })]])(
  'only a job failure delays the retry, not %s',
  (thrown) => {
    expect(retryAfterOf(thrown)).toBe(0);
  },
);

test('a failure keeps its cause', () => {
  const cause = new Error('first');
  expect(new JobFailure('x', { permanent: true, cause }).cause).toBe(cause);
  expect('cause' in new JobFailure('x', { permanent: true })).toBe(false);
});
