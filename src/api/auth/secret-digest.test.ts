import { expect, test } from 'vitest';
import { sameDigest, secretDigest } from './secret-digest.js';

test('digests match only if every byte is equal, including the first and last', () => {
  const digest = secretDigest('a secret');
  expect(digest).toHaveLength(32);
  expect(sameDigest(digest, secretDigest('a secret'))).toBe(true);
  for (let at = 0; at < digest.length; at++) {
    const other = Uint8Array.from(digest, (byte, index) => (index === at ? byte ^ 1 : byte));
    expect(sameDigest(digest, other)).toBe(false);
  }
});

test('digests of different lengths do not match', () => {
  const zeros = new Uint8Array(32);
  expect(sameDigest(zeros, new Uint8Array(31))).toBe(false);
  expect(sameDigest(zeros, new Uint8Array(33))).toBe(false);
});
