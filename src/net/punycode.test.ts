import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tryUrl } from '../try-url.js';
import { decodePunycode, isALabel } from './punycode.js';

test.each([
  'xn--bcher-kva',
  'xn--nxasmq6b',
  'xn--j6w193g',
  'xn--ls8h',
  'xn--mgba3a4f16a',
  'xn--80ak6aa92e',
  'xn--e28h',
])('accepts the A-label %s', (label) => {
  expect(isALabel(label)).toBe(true);
});

test.each([
  ...[
    'xn--',
    'xn--a',
    'xn--abc-',
    'xn--0',
    'xn--99999999999',
    'xn--a-ecp!',
    'xn--\u00fc',
    'xn--{28h',
    'xn--:28h',
  ],
  // A delimiter without characters before it.
  'xn---e28h',
  // U+110000, alone and after an "a".
  ...['xn--en32g', 'xn--a-j023p'],
  // Surrogates that would form 😀, 𐀀 and 𠏿.
  ...['xn--8c9bk9h', 'xn--ib9b66e', 'xn--cd9bs5l'],
])('rejects %j as an A-label', (label) => {
  expect(isALabel(label)).toBe(false);
});

test('accepts every A-label that the platform produces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...'aéüßжλ日本語한عש😀z9𠀀'), { minLength: 1, maxLength: 30 }),
      (letters) => {
        const text = `http://${letters.join('')}.com/`;
        fc.pre(tryUrl(text) !== undefined);
        const [label = ''] = new URL(text).hostname.split('.');
        const decoded = domainToUnicode(label);
        fc.pre(label.startsWith('xn--') && decoded !== '');
        expect([isALabel(label), decodePunycode(label.slice(4))]).toEqual([true, decoded]);
      },
    ),
    { numRuns: 500 },
  );
});
