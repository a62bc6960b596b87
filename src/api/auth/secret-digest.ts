/**
 * Compares secrets without revealing how much of them matches. Both sides are hashed first, and the comparison has no
 * early exit, so its time does not depend on the secret.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();

/** SHA-256 as hex digits. */
export type Sha256 = (text: string) => string;

export function secretDigest(secret: string): Uint8Array {
  return sha256(encoder.encode(secret));
}

/** For platforms without a synchronous SHA-256 of their own, which is ten times as fast. */
export const portableSha256: Sha256 = (text) => bytesToHex(secretDigest(text));

export function sameDigest(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  for (let i = 0; i < left.length; i += 1) difference |= (left[i] ?? 0) ^ (right[i] ?? 0);
  return difference === 0;
}
