import { expect, test } from 'vitest';
import { checksum } from './checksum.js';

// The first four are test vectors of the xxHash project.
test.each([
  ['', 0x02cc5d05],
  ['a', 0x550d7456],
  ['abc', 0x32d153ff],
  ['Nobody inspects the spammish repetition', 0xe2293b2f],
  // Whole words, whole blocks of 16 bytes, and both with a rest; from a second implementation.
  ['abcd', 0xa3643705],
  ['0123456789abcdef', 0xc2c45b69],
  ['0123456789abcdef01234', 0xc8af9a64],
  ['0123456789abcdef0123456789abcdef', 0xeb888d30],
  ['0123456789abcdef0123456789abcdef012', 0x84fbb0a4],
])('hashes %j as the reference implementation does', (text, expected) => {
  expect(checksum(new TextEncoder().encode(text))).toBe(expected);
});

test('a view into a larger buffer hashes like a copy, at any alignment', () => {
  const data = Uint8Array.from({ length: 100 }, (_, i) => i * 7);
  for (let from = 0; from < 8; from++) {
    for (const to of [from, from + 1, from + 15, from + 16, from + 33, 100]) {
      expect(checksum(data.subarray(from, to))).toBe(checksum(data.slice(from, to)));
    }
  }
});

test('any flipped bit changes the checksum', () => {
  const data = Uint8Array.from({ length: 37 }, (_, i) => i);
  const sound = checksum(data);
  for (let bit = 0; bit < data.length * 8; bit++) {
    const at = bit >> 3;
    data[at] = (data[at] ?? 0) ^ (1 << (bit & 7));
    expect(checksum(data)).not.toBe(sound);
    data[at] = (data[at] ?? 0) ^ (1 << (bit & 7));
  }
});
