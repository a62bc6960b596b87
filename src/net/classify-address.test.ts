import { describe, expect, test } from 'vitest';
import { classifyAddress } from './classify-address.js';

/** First and last address of each range listed by the registries and clouds, with the rule that refuses it. */
const RANGES: readonly (readonly [first: string, last: string, rule: string])[] = [
  ['0.0.0.0', '0.255.255.255', 'unspecified'],
  ['10.0.0.0', '10.255.255.255', 'private'],
  ['100.64.0.0', '100.96.0.95', 'cgnat'],
  ['100.96.0.96', '100.96.0.96', 'metadata'],
  ['100.96.0.97', '100.100.100.199', 'cgnat'],
  ['100.100.100.200', '100.100.100.200', 'metadata'],
  ['100.100.100.201', '100.127.255.255', 'cgnat'],
  ['127.0.0.0', '127.255.255.255', 'loopback'],
  ['168.63.129.16', '168.63.129.16', 'metadata'],
  ['169.254.0.0', '169.254.255.255', 'link_local'],
  ['172.16.0.0', '172.31.255.255', 'private'],
  ['192.0.0.0', '192.0.0.191', 'protocol_assignment'],
  ['192.0.0.192', '192.0.0.192', 'metadata'],
  ['192.0.0.193', '192.0.0.255', 'protocol_assignment'],
  ['192.0.2.0', '192.0.2.255', 'documentation'],
  ['192.31.196.0', '192.31.196.255', 'service_anycast'],
  ['192.52.193.0', '192.52.193.255', 'service_anycast'],
  ['192.88.99.0', '192.88.99.255', 'service_anycast'],
  ['192.168.0.0', '192.168.255.255', 'private'],
  ['192.175.48.0', '192.175.48.255', 'service_anycast'],
  ['198.18.0.0', '198.19.255.255', 'benchmarking'],
  ['198.51.100.0', '198.51.100.255', 'documentation'],
  ['203.0.113.0', '203.0.113.255', 'documentation'],
  ['224.0.0.0', '239.255.255.255', 'multicast'],
  ['240.0.0.0', '255.255.255.255', 'reserved'],
  ['::', '::', 'unspecified'],
  ['::1', '::1', 'loopback'],
  ['::2', '::ffff:ffff', 'embedded_ipv4'],
  ['::ffff:0:0', '::ffff:255.255.255.255', 'embedded_ipv4'],
  ['::ffff:0:0:0', '::ffff:0:ffff:ffff', 'embedded_ipv4'],
  ['64:ff9b::', '64:ff9b::ffff:ffff', 'embedded_ipv4'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', 'embedded_ipv4'],
  ['100::', '100::ffff:ffff:ffff:ffff', 'discard'],
  ['100:0:0:1::', '100::1:ffff:ffff:ffff:ffff', 'discard'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', 'embedded_ipv4'],
  ['2001:1::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', 'protocol_assignment'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'documentation'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'embedded_ipv4'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', 'service_anycast'],
  ['3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'documentation'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'unique_local'],
  ['fd00:42::42', 'fd00:42::42', 'metadata'],
  ['fd00:c1::a9fe:a9fe', 'fd00:c1::a9fe:a9fe', 'metadata'],
  ['fd00:a9fe:a9fe::', 'fd00:a9fe:a9fe:ffff:ffff:ffff:ffff:ffff', 'metadata'],
  ['fd00:ec2::', 'fd00:ec2:ffff:ffff:ffff:ffff:ffff:ffff', 'metadata'],
  ['fd20:ce::254', 'fd20:ce::254', 'metadata'],
  ['fe80::a9fe:a9fe', 'fe80:a9fe:a9fe::', 'link_local'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'link_local'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'multicast'],
];

const LIFTABLE = new Set(['private', 'cgnat', 'loopback', 'unique_local']);

test.each(RANGES)('refuses %s to %s as %s, liftable only for private use', (first, last, rule) => {
  for (const address of [first, last]) {
    expect([address, classifyAddress(address)]).toEqual([
      address,
      expect.objectContaining({ rule, liftable: LIFTABLE.has(rule) }),
    ]);
  }
});

describe('outside the listed ranges', () => {
  test.each([
    ...[
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...['168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
    ...['191.255.255.255', '192.0.1.255', '192.0.3.0', '192.31.195.255', '192.31.197.0', '192.52.192.255'],
    ...['192.52.194.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '192.175.47.255'],
    ...['192.175.49.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255'],
    ...['203.0.114.0', '223.255.255.255', '2000::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2003::'],
    ...['2620:4f:7fff::', '2620:4f:8001::', '3ffd:ffff::', '3fff:1000::'],
  ])('%s is public', (address) => {
    expect(classifyAddress(address)).toBeUndefined();
  });

  test.each([
    '::1:0:0:0',
    '64:ff9b:0:1::',
    '64:ff9b:2::',
    '100:0:0:2::',
    '1fff::',
    '4000::',
    'fbff::',
    'fe00::',
    '101::',
  ])('%s is not a global address', (address) => {
    expect(classifyAddress(address)).toMatchObject({ rule: 'not_global', liftable: false });
  });

  test.each(['', 'example.com', '1.2.3', 'fe80::1%eth0'])('%j is not an address', (text) => {
    expect(classifyAddress(text)).toMatchObject({ rule: 'unreadable_address', liftable: false });
  });
});

test.each([
  ['2a01:4f8::5efe:10.0.0.1', 'embedded_ipv4'],
  ['2a01:4f8::200:5efe:10.0.0.1', 'embedded_ipv4'],
  ['2a01:4f8::200:5efe:169.254.169.254', 'embedded_ipv4'],
  ['2a01:4f8::5efe:8.8.8.8', undefined],
  ['2a01:4f8::200:5efe:8.8.8.8', undefined],
  ['2a01:4f8::100:5efe:10.0.0.1', undefined],
  ['2a01:4f8::5eff:10.0.0.1', undefined],
])('classifies the ISATAP address %s as %s', (address, rule) => {
  expect(classifyAddress(address)?.rule).toBe(rule);
  expect(classifyAddress(address)?.liftable ?? false).toBe(false);
});
