/**
 * xxHash32 over bytes. It protects every stored record against bit rot, not against an attacker who can write the
 * files. It is fast in plain JavaScript on every engine (32-bit multiplications only) and has public test vectors.
 */
const P1 = 0x9e3779b1;
const P2 = 0x85ebca77;
const P3 = 0xc2b2ae3d;
const P4 = 0x27d4eb2f;
const P5 = 0x165667b1;

/** Returns an unsigned 32-bit number. */
export function checksum(bytes: Uint8Array): number {
  const length = bytes.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  let at = 0;
  let hash = P5;
  if (length >= 16) {
    let a = (P1 + P2) | 0;
    let b = P2;
    let c = 0;
    let d = -P1;
    for (const end = length - 16; at <= end; at += 16) {
      a = round(a, view.getInt32(at, true));
      b = round(b, view.getInt32(at + 4, true));
      c = round(c, view.getInt32(at + 8, true));
      d = round(d, view.getInt32(at + 12, true));
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  }
  hash = (hash + length) | 0;
  for (; at + 4 <= length; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(view.getInt32(at, true), P3)) | 0, 17), P4);
  }
  for (; at < length; at++) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[at] ?? 0, P5)) | 0, 11), P1);
  }
  return avalanche(hash);
}

function round(lane: number, input: number): number {
  return Math.imul(rotate((lane + Math.imul(input, P2)) | 0, 13), P1);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function avalanche(value: number): number {
  let hash = Math.imul(value ^ (value >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}
