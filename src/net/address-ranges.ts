/**
 * The address ranges that no request may reach, as one table. Sources: both IANA special-purpose
 * registries, the multicast blocks, and cloud metadata services whose addresses lie in public or liftable
 * space. The first matching row names the refusal, so exact addresses come before the blocks around them.
 * `allowPrivate` can open rows marked `liftable` for one origin; all others are always blocked.
 */
export interface AddressRange {
  readonly cidr: string;
  readonly rule: string;
  readonly name: string;
  readonly liftable?: true;
}

export const IPV4_RANGES: readonly AddressRange[] = [
  { cidr: '100.96.0.96/32', rule: 'metadata', name: 'Volcano Engine metadata' },
  { cidr: '100.100.100.200/32', rule: 'metadata', name: 'Alibaba Cloud metadata' },
  { cidr: '168.63.129.16/32', rule: 'metadata', name: 'Azure WireServer' },
  { cidr: '192.0.0.192/32', rule: 'metadata', name: 'Oracle Cloud metadata' },
  { cidr: '0.0.0.0/8', rule: 'unspecified', name: 'this network (RFC 1122)' },
  { cidr: '10.0.0.0/8', rule: 'private', name: 'private use (RFC 1918)', liftable: true },
  { cidr: '100.64.0.0/10', rule: 'cgnat', name: 'shared address space (RFC 6598)', liftable: true },
  { cidr: '127.0.0.0/8', rule: 'loopback', name: 'loopback (RFC 1122)', liftable: true },
  { cidr: '169.254.0.0/16', rule: 'link_local', name: 'link-local (RFC 3927)' },
  { cidr: '172.16.0.0/12', rule: 'private', name: 'private use (RFC 1918)', liftable: true },
  { cidr: '192.0.0.0/24', rule: 'protocol_assignment', name: 'IETF protocol assignments (RFC 6890)' },
  { cidr: '192.0.2.0/24', rule: 'documentation', name: 'TEST-NET-1 (RFC 5737)' },
  { cidr: '192.31.196.0/24', rule: 'service_anycast', name: 'AS112 (RFC 7535)' },
  { cidr: '192.52.193.0/24', rule: 'service_anycast', name: 'AMT relays (RFC 7450)' },
  { cidr: '192.88.99.0/24', rule: 'service_anycast', name: '6to4 relays (RFC 7526)' },
  { cidr: '192.168.0.0/16', rule: 'private', name: 'private use (RFC 1918)', liftable: true },
  { cidr: '192.175.48.0/24', rule: 'service_anycast', name: 'AS112 (RFC 7534)' },
  { cidr: '198.18.0.0/15', rule: 'benchmarking', name: 'benchmarking (RFC 2544)' },
  { cidr: '198.51.100.0/24', rule: 'documentation', name: 'TEST-NET-2 (RFC 5737)' },
  { cidr: '203.0.113.0/24', rule: 'documentation', name: 'TEST-NET-3 (RFC 5737)' },
  { cidr: '224.0.0.0/4', rule: 'multicast', name: 'multicast (RFC 5771)' },
  { cidr: '240.0.0.0/4', rule: 'reserved', name: 'reserved and broadcast (RFC 1112)' },
];

/** Addresses outside `2000::/3` are refused even if no row matches (`classify-address.ts`). */
export const IPV6_RANGES: readonly AddressRange[] = [
  { cidr: 'fd00:42::42/128', rule: 'metadata', name: 'Scaleway metadata' },
  { cidr: 'fd00:ec2::/32', rule: 'metadata', name: 'AWS metadata' },
  { cidr: 'fd20:ce::254/128', rule: 'metadata', name: 'Google Cloud metadata' },
  { cidr: '::/128', rule: 'unspecified', name: 'unspecified (RFC 4291)' },
  { cidr: '::1/128', rule: 'loopback', name: 'loopback (RFC 4291)', liftable: true },
  { cidr: '::/96', rule: 'embedded_ipv4', name: 'IPv4-compatible (RFC 4291)' },
  { cidr: '::ffff:0:0/96', rule: 'embedded_ipv4', name: 'IPv4-mapped (RFC 4291)' },
  { cidr: '::ffff:0:0:0/96', rule: 'embedded_ipv4', name: 'IPv4-translated (RFC 2765)' },
  { cidr: '64:ff9b::/96', rule: 'embedded_ipv4', name: 'NAT64 (RFC 6052)' },
  { cidr: '64:ff9b:1::/48', rule: 'embedded_ipv4', name: 'local NAT64 (RFC 8215)' },
  { cidr: '100::/64', rule: 'discard', name: 'discard-only (RFC 6666)' },
  { cidr: '100:0:0:1::/64', rule: 'discard', name: 'dummy prefix (RFC 9780)' },
  { cidr: '2001::/32', rule: 'embedded_ipv4', name: 'Teredo (RFC 4380)' },
  { cidr: '2001::/23', rule: 'protocol_assignment', name: 'IETF protocol assignments (RFC 2928)' },
  { cidr: '2001:db8::/32', rule: 'documentation', name: 'documentation (RFC 3849)' },
  { cidr: '2002::/16', rule: 'embedded_ipv4', name: '6to4 (RFC 3056)' },
  { cidr: '2620:4f:8000::/48', rule: 'service_anycast', name: 'AS112 (RFC 7534)' },
  { cidr: '3ffe::/16', rule: 'reserved', name: '6bone, returned (RFC 3701)' },
  { cidr: '3fff::/20', rule: 'documentation', name: 'documentation (RFC 9637)' },
  { cidr: '5f00::/16', rule: 'reserved', name: 'SRv6 SIDs (RFC 9602)' },
  { cidr: 'fc00::/7', rule: 'unique_local', name: 'unique local (RFC 4193)', liftable: true },
  { cidr: 'fe80::/10', rule: 'link_local', name: 'link-local (RFC 4291)' },
  { cidr: 'fec0::/10', rule: 'reserved', name: 'site-local (RFC 3879)' },
  { cidr: 'ff00::/8', rule: 'multicast', name: 'multicast (RFC 4291)' },
];
