import { expect, test } from 'vitest';
import { checksumOf, complementOf, continues } from './record-rows.js';

test.each([0, 1, 2 ** 32 - 1])('a checksum of %i says whether its record continues', (own) => {
  const last = { checksum: own };
  const earlier = { checksum: complementOf(own) };
  expect([continues(last), checksumOf(last)]).toEqual([false, own]);
  expect([continues(earlier), checksumOf(earlier)]).toEqual([true, own]);
});
