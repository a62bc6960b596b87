/**
 * IP addresses as numbers. Accepts only the canonical spellings that resolvers, sockets and the URL
 * parser produce: dotted-decimal IPv4 without leading zeros, and IPv6 with optional `::` and an embedded
 * dotted IPv4 tail. Anything else, zone ids included, is not an address, and callers refuse it.
 */
export type Address =
  | { readonly family: 4; readonly value: number }
  /** Eight 16-bit groups. */
  | { readonly family: 6; readonly groups: readonly number[] };

export function parseAddress(text: string): Address | undefined {
  if (text.includes(':')) {
    const groups = parseIpv6(text);
    return groups && { family: 6, groups };
  }
  const value = parseIpv4(text);
  return value === undefined ? undefined : { family: 4, value };
}

/** No leading zeros: some stacks read those as octal, so canonical text never has them. */
const IPV4 = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

function parseIpv4(text: string): number | undefined {
  const octets = IPV4.exec(text)?.slice(1).map(Number);
  if (!octets || octets.some((octet) => octet > 255)) return undefined;
  return octets.reduce((value, octet) => value * 256 + octet, 0);
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [headText = '', tailText] = halves;
  const head = parseGroups(headText, tailText === undefined);
  if (!head) return undefined;
  if (tailText === undefined) return head.length === 8 ? head : undefined;
  const tail = parseGroups(tailText, true);
  if (!tail || head.length + tail.length > 7) return undefined;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function parseGroups(text: string, dottedTailAllowed: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (dottedTailAllowed && index === parts.length - 1 && part.includes('.')) {
      const value = parseIpv4(part);
      if (value === undefined) return undefined;
      groups.push(Math.floor(value / 65536), value % 65536);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return undefined;
    }
  }
  return groups;
}
