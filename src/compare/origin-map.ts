/**
 * Maps origins that count as the same place. Each pair of hosts gets a name; `mapText` writes that name in place of a
 * side's own host, so the staging host in staging's Location equals the production host in production's. Hosts of the
 * other side are not mapped: where they appear, one environment leaks into the other.
 *
 * Schemes are left alone, since http against https is a difference. A subdomain of a mapped host is mapped with it
 * (`cdn.staging.example` ~ `cdn.example`); a host that merely begins or ends the same way is not.
 */
import type { Side } from '../probe/index.js';
import { tryUrl } from '../try-url.js';
import type { OriginPair } from './env-diff.js';
import { byCodeUnit } from './fields/code-unit-order.js';

/** More pairs than this are rejected, because the cost of mapping grows with them. */
export const ORIGIN_PAIRS_MAX = 20;

const NONE: readonly string[] = [];

export class OriginMap {
  readonly pairs: readonly OriginPair[];
  readonly #hosts: readonly OriginPair[];
  readonly #own: Readonly<Record<Side, HostPattern>>;
  readonly #foreign: Readonly<Record<Side, ReadonlySet<string>>>;
  /** Length of the shortest host. */
  readonly #shortest: number;
  /** Matches every text that contains a host of either side. */
  readonly #hint: RegExp;
  /** Matches every text that contains a host of the other side. */
  readonly #foreignHint: Readonly<Record<Side, RegExp>>;
  /** Whether every host has a dot, so that a text without one contains no host. */
  readonly #allDotted: boolean;

  constructor(pairs: readonly OriginPair[]) {
    this.pairs = pairs;
    const hosts = pairs.map(({ left, right }) => ({ left: hostOf(left), right: hostOf(right) }));
    this.#hosts = hosts;
    this.#own = { left: patternFor(hosts, 'left'), right: patternFor(hosts, 'right') };
    this.#foreign = foreignHosts(hosts);
    this.#allDotted = hosts.every(({ left, right }) => left.includes('.') && right.includes('.'));
    const all = hosts.flatMap(({ left, right }) => [left, right]);
    this.#shortest = Math.min(...all.map(({ length }) => length));
    this.#hint = hintOf(all);
    this.#foreignHint = { left: anyOf(this.#foreign.left), right: anyOf(this.#foreign.right) };
  }

  /** Replaces the side's own hosts in `text` with the names of their pairs. */
  mapText(text: string, side: Side): string {
    return this.#own[side].replace(text);
  }

  /** The opposite: the side's hosts in place of the names, for people. */
  unmapText(text: string, side: Side): string {
    return text.replace(/\{host(\d*)\}/g, (name, number: string) => {
      return this.#hosts[number === '' ? 0 : Number(number) - 1]?.[side] ?? name;
    });
  }

  /**
   * Whether two texts are equal except for one mention of each side's own host, by far the most common difference.
   * False does not mean that they map to different texts.
   */
  isTwin(a: string, b: string, sides: readonly [Side, Side]): boolean {
    const pair = this.#hosts[0];
    if (!pair) return false;
    const x = pair[sides[0]];
    const y = pair[sides[1]];
    if (a.length - x.length !== b.length - y.length) return false;
    const at = a.indexOf(x);
    if (at < 0 || b.indexOf(y) !== at || borderedEnd(a, at, at + x.length) < 0) return false;
    // Slices share the memory of the text: comparing them takes half as long as a loop over characters.
    const before = a.slice(0, at);
    const after = a.slice(at + x.length);
    if (after !== b.slice(at + y.length) || before !== b.slice(0, at)) return false;
    return !before.endsWith('.') && !this.mayName(before) && !this.mayName(after);
  }

  /** Whether the text may contain a host of either side. Cheap, and nearly always false. */
  mayName(text: string): boolean {
    if (text.length < this.#shortest || (this.#allDotted && !text.includes('.'))) return false;
    return this.#hint.test(text);
  }

  /** The distinct hosts of the other side in this side's text. */
  foreignIn(text: string, side: Side): readonly string[] {
    if (text.length < this.#shortest || !this.#foreignHint[side].test(text)) return NONE;
    const found = this.#own[side].find(text);
    return found.length === 0 ? found : found.filter((host) => this.#foreign[side].has(host));
  }

  /**
   * Maps a cookie's Domain relative to the side's own host, because cookies ignore ports and are often set for a parent
   * domain: `{host}` is the host itself, `{host}^1` one label up. Any other domain stays.
   */
  mapDomain(domain: string, side: Side): string {
    const plain = domain.replace(/^\./, '').toLowerCase();
    for (const [index, pair] of this.#hosts.entries()) {
      const own = pair[side].replace(/:\d+$/, '');
      if (own !== plain && !own.endsWith(`.${plain}`)) continue;
      const up = own.split('.').length - plain.split('.').length;
      return `{host${index === 0 ? '' : index + 1}}${up === 0 ? '' : `^${up}`}`;
    }
    return plain;
  }

  /** Whether this host is one of the side's own, or under one. */
  isOwn(host: string, side: Side): boolean {
    return this.#own[side].replace(host) !== host;
  }
}

/** Matches the suffix that all hosts share if it is specific enough, otherwise any of them; case-insensitive. */
function hintOf(hosts: readonly string[]): RegExp {
  let [shared = ''] = hosts;
  for (const host of hosts) while (!host.endsWith(shared)) shared = shared.slice(1);
  return anyOf(shared.length < HINT_CHARS_MIN ? hosts : [shared]);
}

/** Matches any of the texts, also within a longer one; matches nothing if there are none. */
function anyOf(texts: Iterable<string>): RegExp {
  const patterns = [...texts].map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(patterns.length === 0 ? '(?!)' : patterns.join('|'), 'iu');
}

/** A shorter suffix, such as `.com`, occurs in too many texts. */
const HINT_CHARS_MIN = 6;

/** Hosts that only the other side uses: a host that both sides use cannot leak. */
function foreignHosts(hosts: readonly OriginPair[]): Readonly<Record<Side, ReadonlySet<string>>> {
  const left = new Set(hosts.map((pair) => pair.left));
  const right = new Set(hosts.map((pair) => pair.right));
  return {
    left: new Set([...right].filter((host) => !left.has(host))),
    right: new Set([...left].filter((host) => !right.has(host))),
  };
}

function patternFor(hosts: readonly OriginPair[], side: Side): HostPattern {
  const other = side === 'left' ? 'right' : 'left';
  const named = new Map<string, string>();
  hosts.forEach((pair, index) => {
    if (!named.has(pair[side])) named.set(pair[side], `{host${index === 0 ? '' : index + 1}}`);
  });
  // The other side's hosts are included, mapped to themselves, so that the longer of two nested hosts wins. If one of
  // them is a parent of an own host, its other subdomains belong to neither side: `cdn.example.com` does not leak
  // `example.com` into `staging.example.com`.
  const parents = new Set<string>();
  for (const pair of hosts) {
    if (named.has(pair[other])) continue;
    named.set(pair[other], pair[other]);
    if (hosts.some((own) => own[side].endsWith(`.${pair[other]}`))) parents.add(pair[other]);
  }
  return new HostPattern([...named], parents);
}

const NOTHING: readonly Found[] = [];

interface Found {
  readonly host: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds hosts in text at the boundaries of a host name. Plain string search instead of a regular expression, which
 * would have to be compiled for every comparison.
 */
class HostPattern {
  readonly #names: ReadonlyMap<string, string>;
  /** Longest first, so that the longer of two hosts at the same position wins. */
  readonly #hosts: readonly string[];
  readonly #allDotted: boolean;
  /** Hosts that do not match as part of a subdomain. */
  readonly #exact: ReadonlySet<string>;

  constructor(entries: readonly (readonly [string, string])[], exact: ReadonlySet<string>) {
    this.#exact = exact;
    const sorted =
      entries.length < 2 ? entries : [...entries].sort(([a], [b]) => b.length - a.length || byCodeUnit(a, b));
    this.#names = new Map(sorted);
    this.#hosts = sorted.map(([host]) => host);
    this.#allDotted = this.#hosts.every((host) => host.includes('.'));
  }

  replace(text: string): string {
    if (this.#allDotted && !text.includes('.')) return text;
    let mapped = '';
    let at = 0;
    for (const { host, start, end } of this.#matches(text)) {
      mapped += text.slice(at, start) + (this.#names.get(host) ?? host);
      at = end;
    }
    return at === 0 ? text : mapped + text.slice(at);
  }

  find(text: string): readonly string[] {
    if (this.#allDotted && !text.includes('.')) return NONE;
    const hosts = new Set<string>();
    for (const { host } of this.#matches(text)) hosts.add(host);
    return hosts.size === 0 ? NONE : [...hosts].sort(byCodeUnit);
  }

  /**
   * The hosts in a text, from left to right. Each host's next place is searched for once, so that the cost is that of
   * the hosts times the text, however often they occur in it.
   */
  #matches(text: string): readonly Found[] {
    const lower = text.toLowerCase();
    let next: (Found | undefined)[] | undefined;
    for (const host of this.#hosts) {
      const first = this.#next(lower, host, 0);
      if (!first) continue;
      if (next) next.push(first);
      else next = [first];
    }
    if (!next) return NOTHING;
    const found: Found[] = [];
    for (let best = earliest(next); best; best = earliest(next)) {
      found.push(best);
      for (const [index, each] of next.entries()) {
        if (each && each.start < best.end) next[index] = this.#next(lower, each.host, best.end);
      }
    }
    return found;
  }

  /** The first place of this host at or after `from`. */
  #next(lower: string, host: string, from: number): Found | undefined {
    for (let start = lower.indexOf(host, from); start >= 0; start = lower.indexOf(host, start + 1)) {
      const end = borderedEnd(lower, start, start + host.length);
      if (end < 0 || (this.#exact.has(host) && lower[start - 1] === '.')) continue;
      return { host, start, end };
    }
    return undefined;
  }
}

/** The earliest match; of several at one place, the first, which is the longest host. */
function earliest(next: readonly (Found | undefined)[]): Found | undefined {
  let best: Found | undefined;
  for (const each of next) if (each && (!best || each.start < best.start)) best = each;
  return best;
}

/** The end of the host at `start`, including a default port; −1 if the host is part of a longer name. */
function borderedEnd(text: string, start: number, end: number): number {
  if (start > 0 && isHostChar(text.charCodeAt(start - 1))) return -1;
  const next = text.charCodeAt(end);
  if (next === COLON) {
    if (text.startsWith('443', end + 1) && !isDigit(text.charCodeAt(end + 4))) return end + 4;
    if (text.startsWith('80', end + 1) && !isDigit(text.charCodeAt(end + 3))) return end + 3;
    return isDigit(text.charCodeAt(end + 1)) ? -1 : end;
  }
  return isHostChar(next) || (next === DOT && isHostChar(text.charCodeAt(end + 1))) ? -1 : end;
}

const COLON = 58;
const DOT = 46;

/**
 * Character codes instead of a regular expression, because this runs at every boundary. NaN past the end is no digit.
 */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A letter, a digit, `-` or `_`. */
function isHostChar(code: number): boolean {
  const lower = code | 32;
  return isDigit(code) || (lower >= 97 && lower <= 122) || code === 45 || code === 95;
}

/** Host and port of an origin; text that is not a URL is taken as the host itself. */
function hostOf(origin: string): string {
  return (tryUrl(origin)?.host ?? origin).toLowerCase();
}
