/**
 * Decides whether an address is refused, and by which rule. Fails closed: text that is not an address, and IPv6
 * outside the global unicast block, are refused. Addresses that embed an IPv4 address are refused even if that one
 * is public, because where they lead depends on translators we cannot see. ISATAP interface ids look like any
 * global address, so they are refused only if the embedded IPv4 address is.
 */
import { type Address, parseAddress } from './address.js';
import { type AddressRange, IPV4_RANGES, IPV6_RANGES } from './address-ranges.js';

/** Why an address is refused. */
export interface AddressRefusal {
  readonly rule: string;
  readonly name: string;
  readonly liftable: boolean;
}

interface Ipv4Row extends AddressRefusal {
  readonly base: number;
  readonly size: number;
}

interface Ipv6Row extends AddressRefusal {
  readonly groups: readonly number[];
  readonly bits: number;
}

const UNREADABLE: AddressRefusal = { rule: 'unreadable_address', name: 'not an IP address', liftable: false };
const NOT_GLOBAL: AddressRefusal = { rule: 'not_global', name: 'outside 2000::/3', liftable: false };

const IPV4_ROWS = IPV4_RANGES.map(compileIpv4);
const IPV6_ROWS = IPV6_RANGES.map(compileIpv6);

export function classifyAddress(address: string | Address): AddressRefusal | undefined {
  const parsed = typeof address === 'string' ? parseAddress(address) : address;
  if (!parsed) return UNREADABLE;
  return parsed.family === 4 ? classifyIpv4(parsed.value) : classifyIpv6(parsed.groups);
}

function classifyIpv4(value: number): AddressRefusal | undefined {
  return IPV4_ROWS.find((row) => value >= row.base && value < row.base + row.size);
}

const METADATA: AddressRefusal = { rule: 'metadata', name: 'metadata in IPv6', liftable: false };

/** Oracle and Akamai embed 169.254.169.254 in unique local addresses. These are never opened, in any such prefix. */
function embedsMetadata(groups: readonly number[]): boolean {
  const isLocal = ((groups[0] ?? 0) & 0xfe00) === 0xfc00;
  return isLocal && groups.some((group, at) => group === 0xa9fe && groups[at + 1] === 0xa9fe);
}

function classifyIpv6(groups: readonly number[]): AddressRefusal | undefined {
  if (embedsMetadata(groups)) return METADATA;
  const row = IPV6_ROWS.find((candidate) => hasPrefix(groups, candidate));
  if (row) return row;
  if (((groups[0] ?? 0) & 0xe000) !== 0x2000) return NOT_GLOBAL;
  return classifyIsatap(groups);
}

/** RFC 5214: `…:0:5efe:a.b.c.d`, or `…:200:5efe:a.b.c.d` around a global IPv4. */
function classifyIsatap(groups: readonly number[]): AddressRefusal | undefined {
  const [, , , , marker = 0, id, high = 0, low = 0] = groups;
  if (id !== 0x5efe || (marker !== 0 && marker !== 0x200)) return undefined;
  const inner = classifyIpv4(high * 65536 + low);
  return inner && { rule: 'embedded_ipv4', name: `ISATAP around ${inner.name}`, liftable: false };
}

function hasPrefix(groups: readonly number[], row: Ipv6Row): boolean {
  return groups.every((group, at) => {
    const bits = Math.max(0, Math.min(16, row.bits - 16 * at));
    return group >> (16 - bits) === (row.groups[at] ?? 0) >> (16 - bits);
  });
}

function compileIpv4(range: AddressRange): Ipv4Row {
  const { address, bits } = splitCidr(range.cidr);
  if (address.family !== 4) throw new Error(`not an IPv4 range: ${range.cidr}`);
  return { ...refusal(range), base: address.value, size: 2 ** (32 - bits) };
}

function compileIpv6(range: AddressRange): Ipv6Row {
  const { address, bits } = splitCidr(range.cidr);
  if (address.family !== 6) throw new Error(`not an IPv6 range: ${range.cidr}`);
  return { ...refusal(range), groups: address.groups, bits };
}

function refusal(range: AddressRange): AddressRefusal {
  return { rule: range.rule, name: range.name, liftable: range.liftable ?? false };
}

function splitCidr(cidr: string): { address: Address; bits: number } {
  const [text = '', bits] = cidr.split('/');
  const address = parseAddress(text);
  if (!address) throw new Error(`not a range: ${cidr}`);
  return { address, bits: Number(bits) };
}
