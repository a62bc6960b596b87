import { expect, test } from 'vitest';
import { makeEnvelope } from '../../../test/support/make-envelope.js';
import { computeDiff } from '../compute-diff.js';

/** Whether a difference of these lifetimes, in seconds, is reported. */
function isReported(left: number | undefined, right: number | undefined): boolean {
  const side = (name: 'left' | 'right', lifetimeSeconds: number | undefined) =>
    makeEnvelope(name, {
      cookies: [{ name: 'session', ...(lifetimeSeconds !== undefined && { lifetimeSeconds }) }],
    });
  const { findings } = computeDiff([side('left', left)], [side('right', right)], {});
  return findings.some(({ code }) => code === 'COOKIE_FLAGS_DRIFT');
}

test.each([
  [100, 100, false],
  [100, 999, false],
  [100, 1_000, true],
  [1_000, 100, true],
  [999, 100, false],
  [0, 9, false],
  [0, 10, true],
  [0, 0, false],
  [undefined, 100, true],
  [undefined, 5, true],
  [0, undefined, true],
  [undefined, undefined, false],
])('lifetimes of %s and %s seconds: reported %s', (left, right, expected) => {
  expect(isReported(left, right)).toBe(expected);
});
