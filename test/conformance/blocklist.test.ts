/** Every range of the address blocklist is refused from its first to its last address, and public space is not. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Address, classifyAddress, parseAddress } from '../../src/net/index.js';

interface Row {
  cidr: string;
  name: string;
}

const rows: Row[] = JSON.parse(readFileSync(new URL('../corpus/blocklist.json', import.meta.url), 'utf8'));
const ranges = rows.filter(({ cidr }) => /^[0-9a-f:.]+\/\d+$/.test(cidr));

function toBigInt(address: Address): bigint {
  if (address.family === 4) return BigInt(address.value);
  return address.groups.reduce((value, group) => value * 65_536n + BigInt(group), 0n);
}

function fromBigInt(value: bigint, family: 4 | 6): Address {
  if (family === 4) return { family, value: Number(value) };
  return {
    family,
    groups: Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn)),
  };
}

test('the list has 39 ranges and two rules that are not ranges', () => {
  expect(rows.length).toBe(41);
  expect(rows.length - ranges.length).toBe(2);
});

describe.each(ranges)('$cidr ($name)', ({ cidr }) => {
  const [text = '', bits = ''] = cidr.split('/');
  const base = parseAddress(text);
  if (!base) throw new Error(cidr);
  const size = 2n ** BigInt((base.family === 4 ? 32 : 128) - Number(bits));
  const first = toBigInt(base);

  test('refuses its first and last address and every address between', () => {
    for (const value of [first, first + size - 1n]) {
      expect(classifyAddress(fromBigInt(value, base.family))).toBeDefined();
    }
    fc.assert(
      fc.property(fc.bigInt(0n, size - 1n), (offset) => {
        expect(classifyAddress(fromBigInt(first + offset, base.family))).toBeDefined();
      }),
      { numRuns: 50 },
    );
  });
});

test('refuses IPv6 outside 2000::/3 by default', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 128n - 1n), (value) => {
      fc.pre(value >> 125n !== 1n);
      expect(classifyAddress(fromBigInt(value, 6))).toBeDefined();
    }),
  );
});

test('refuses an ISATAP interface id exactly if its IPv4 is refused', () => {
  fc.assert(
    fc.property(fc.nat(0xffff_ffff), fc.constantFrom(0, 0x200), (v4, marker) => {
      const groups = [0x2a01, 0x4f8, 1, 2, marker, 0x5efe, Math.floor(v4 / 65_536), v4 % 65_536];
      const inner = classifyAddress({ family: 4, value: v4 });
      expect(classifyAddress({ family: 6, groups }) !== undefined).toBe(inner !== undefined);
    }),
  );
});

test('does not refuse public space', () => {
  for (const address of [
    '8.8.8.8',
    '1.0.0.0',
    '223.255.255.254',
    '100.128.0.0',
    '172.32.0.0',
    '192.0.1.0',
    '198.20.0.0',
  ]) {
    expect(classifyAddress(address)).toBeUndefined();
  }
  for (const address of [
    '2606:4700:4700::1111',
    '2001:200::1',
    '2001:db9::',
    '2003::1',
    '2620:4f:8001::',
    '3ffd::',
    '3fff:1000::',
  ]) {
    expect(classifyAddress(address)).toBeUndefined();
  }
});
