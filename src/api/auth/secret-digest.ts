/**
 * Compares secrets without revealing how much of them matches. Both sides are hashed first, and the comparison has no
 * early exit, so its time does not depend on the secret.
 */
import { sha256 } from '@noble/hashes/sha2.js';

const encoder = new TextEncoder();

export function secretDigest(secret: string): Uint8Array {
  return sha256(encoder.encode(secret));
}

export function sameDigest(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  for (let i = 0; i < left.length; i += 1) difference |= (left[i] ?? 0) ^ (right[i] ?? 0);
  return difference === 0;
}
