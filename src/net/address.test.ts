import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from './address.js';
import { classifyAddress } from './classify-address.js';

test('parses canonical text of both families', () => {
  expect(parseAddress('1.2.3.4')).toEqual({ family: 4, value: 0x01020304 });
  expect(parseAddress('255.255.255.255')).toEqual({ family: 4, value: 0xffffffff });
  expect(parseAddress('::')).toEqual({ family: 6, groups: [0, 0, 0, 0, 0, 0, 0, 0] });
  expect(parseAddress('2001:DB8::1')).toEqual({ family: 6, groups: [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1] });
  expect(parseAddress('::ffff:1.2.3.4')).toEqual({
    family: 6,
    groups: [0, 0, 0, 0, 0, 0xffff, 0x102, 0x304],
  });
  expect(parseAddress('::ffff:1.3.3.4')).toMatchObject({ groups: [0, 0, 0, 0, 0, 0xffff, 0x103, 0x304] });
  expect(parseAddress('1:2:3:4:5:6:7::')).toEqual({ family: 6, groups: [1, 2, 3, 4, 5, 6, 7, 0] });
});

test.each([
  '',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '01.2.3.4',
  '0x7f.0.0.1',
  '1.2.3.4 ',
  '1.2.3.-4',
  '1..2.3',
  ':',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8::',
  '1:2:3:4::5:6:7:8',
  '1:2:3:4::5:6:7:8:9',
  '12345::',
  'g::',
  'fe80::1%eth0',
  '::1.2.3',
  '1.2.3.4::',
  '::1.2.3.4:5',
  '[::1]',
  `::${'0'.repeat(60)}`,
])('rejects %j', (text) => {
  expect(parseAddress(text)).toBeUndefined();
});

test('accepts exactly the addresses that the platform accepts', () => {
  const piece = fc.constantFrom(
    '0',
    '1',
    '00',
    'ff',
    'ffff',
    '256',
    '127',
    '.',
    '.',
    ':',
    ':',
    '::',
    'g',
    '%',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 18 }).map((pieces) => pieces.join('')),
      (text) => {
        const expected = isIPv4(text) ? 4 : isIPv6(text) && !text.includes('%') ? 6 : undefined;
        expect(parseAddress(text)?.family).toBe(expected);
      },
    ),
    { numRuns: 3000 },
  );
});

test.each([
  ['fd00:a9fe:a9fe::1', 'metadata', false],
  ['fd12::a9fe:a9fe', 'metadata', false],
  ['fd00::a9fe:1', 'unique_local', true],
  ['fd00::1:a9fe', 'unique_local', true],
])('classifies %s as %s, liftable: %s', (address, rule, liftable) => {
  expect(classifyAddress(address)).toMatchObject(liftable ? { liftable } : { rule, liftable });
});
