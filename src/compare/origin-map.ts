/**
 * Which origins count as the same place. Each pair of hosts gets a name of its own; `mapText` writes that name in
 * place of a side's own host, so a staging host in staging's Location equals the production host in production's.
 * The other side's hosts are written as foreign: where they appear, an environment leaks into the other.
 *
 * Schemes are left alone, since http against https is a difference. A subdomain of a mapped host is mapped with
 * it (`cdn.staging.example` ~ `cdn.example`); a host that merely ends or begins alike is not.
 */
import type { Side } from '../probe/index.js';
import type { OriginPair } from './env-diff.js';
import { byCodeUnit } from './fields/code-unit-order.js';

/** Pairs beyond this are refused by `readCompareOptions`; the pattern grows with them. */
export const ORIGIN_PAIRS_MAX = 20;

interface HostPair {
  readonly left: string;
  readonly right: string;
}

export class OriginMap {
  readonly pairs: readonly OriginPair[];
  readonly #hosts: readonly HostPair[];
  readonly #own: Readonly<Record<Side, HostPattern>>;
  readonly #foreign: Readonly<Record<Side, HostPattern>>;

  constructor(pairs: readonly OriginPair[]) {
    this.pairs = pairs;
    const hosts = pairs.map(({ left, right }) => ({ left: hostOf(left), right: hostOf(right) }));
    this.#hosts = hosts;
    this.#own = { left: patternFor(hosts, 'left'), right: patternFor(hosts, 'right') };
    const strangers = foreignHosts(hosts);
    this.#foreign = {
      left: new HostPattern(strangers.left.map((host) => [host, host])),
      right: new HostPattern(strangers.right.map((host) => [host, host])),
    };
  }

  /** `text` of one side with its own hosts replaced by the names of their pairs. */
  mapText(text: string, side: Side): string {
    return this.#own[side].replace(text);
  }

  /** The other side's hosts that stand in this side's text, each once. */
  foreignIn(text: string, side: Side): readonly string[] {
    return this.#foreign[side].find(text);
  }

  /**
   * A cookie's Domain by its place above the side's own host, since a cookie knows no ports and is often set for
   * a parent: `{host}` for the host itself, `{host}^1` one label up. A domain that is neither stays.
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

/** Hosts that belong to the other side alone: an origin that both sides use cannot leak. */
function foreignHosts(hosts: readonly HostPair[]): Readonly<Record<Side, string[]>> {
  const left = new Set(hosts.map((pair) => pair.left));
  const right = new Set(hosts.map((pair) => pair.right));
  return {
    left: [...right].filter((host) => !left.has(host)),
    right: [...left].filter((host) => !right.has(host)),
  };
}

function patternFor(hosts: readonly HostPair[], side: Side): HostPattern {
  const other = side === 'left' ? 'right' : 'left';
  const named = new Map<string, string>();
  hosts.forEach((pair, index) => {
    if (!named.has(pair[side])) named.set(pair[side], `{host${index === 0 ? '' : index + 1}}`);
  });
  // The other side's hosts take part so that the longer of two nested names wins, and stay as they are.
  for (const pair of hosts) if (!named.has(pair[other])) named.set(pair[other], pair[other]);
  return new HostPattern([...named]);
}

/** Finds any of some hosts in running text, the longest first, at the borders of a host name. */
class HostPattern {
  readonly #names: ReadonlyMap<string, string>;
  readonly #hosts: readonly string[];
  readonly #expression: RegExp;

  constructor(entries: readonly (readonly [string, string])[]) {
    const sorted = [...entries].sort(([a], [b]) => b.length - a.length || byCodeUnit(a, b));
    this.#names = new Map(sorted);
    this.#hosts = sorted.map(([host]) => host);
    const parts = this.#hosts.map((host) => escaped(host) + (/:\d+$/.test(host) ? '' : '(?::443|:80)?'));
    this.#expression = new RegExp(
      `(?<![a-z0-9_-])(${parts.join('|') || '(?!)'})(?![a-z0-9_-]|\\.[a-z0-9_-]|:\\d)`,
      'gi',
    );
  }

  replace(text: string): string {
    if (!this.#mayHold(text)) return text;
    return text.replace(this.#expression, (found) => this.#names.get(this.#key(found)) ?? found);
  }

  find(text: string): string[] {
    if (!this.#mayHold(text)) return [];
    return [...new Set([...text.matchAll(this.#expression)].map(([found]) => this.#key(found)))].sort(
      byCodeUnit,
    );
  }

  #key(found: string): string {
    const lower = found.toLowerCase();
    return this.#names.has(lower) ? lower : lower.replace(/:(443|80)$/, '');
  }

  /** Cheap and sufficient for text that spells hosts in lower case, as nearly all does. */
  #mayHold(text: string): boolean {
    for (const host of this.#hosts) if (text.includes(host)) return true;
    if (!/[A-Z]/.test(text)) return false;
    const lower = text.toLowerCase();
    return this.#hosts.some((host) => lower.includes(host));
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** Host and port of an origin; text that is no URL is taken as the host itself. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host.toLowerCase() : origin.toLowerCase();
}
