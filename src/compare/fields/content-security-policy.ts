/**
 * Parses Content-Security-Policy: several policies over lines and commas, each a set of directives. Sources are a set;
 * all nonces count as one source, hashes keep their value. Directive names, schemes, hosts and keywords are compared in
 * lower case; the first of a repeated directive counts, as in browsers.
 */
import { byCodeUnit, sortedSet } from './code-unit-order.js';

/** Directive → its sources in code-unit order. */
export type CspPolicy = ReadonlyMap<string, readonly string[]>;

const NONCE = /'nonce-[^'\s;,]*'/gi;

/** Removes the values of nonces, because they change with every response. */
export function withoutNonces(text: string): string {
  return text.replace(NONCE, "'nonce-'");
}

export function parseCsp(lines: readonly string[]): CspPolicy[] {
  return lines
    .flatMap((line) => line.split(','))
    .map(parsePolicy)
    .filter((policy) => policy.size > 0);
}

function parsePolicy(text: string): CspPolicy {
  const policy = new Map<string, readonly string[]>();
  for (const part of text.split(';')) {
    const [first, ...words] = wordsOf(part);
    const name = first?.toLowerCase();
    if (name === undefined || policy.has(name)) continue;
    policy.set(name, sortedSet(words.map(sourceText)));
  }
  return policy;
}

/** Splits at ASCII white space, as the standard does; nearly always that is single spaces. */
function wordsOf(text: string): string[] {
  const plain = /[\t\n\f\r]/.test(text) ? text.replace(/[\t\n\f\r]/g, ' ') : text;
  return plain.split(' ').filter((word) => word !== '');
}

function sourceText(source: string): string {
  if (source.startsWith("'")) {
    const lower = source.toLowerCase();
    if (lower.startsWith("'nonce-")) return "'nonce'";
    return isHashSource(lower) ? source : lower;
  }
  // The path is case-sensitive, everything before it is not.
  const scheme = source.indexOf('://');
  const slash = source.indexOf('/', scheme < 0 ? 0 : scheme + 3);
  return slash < 0 ? source.toLowerCase() : source.slice(0, slash).toLowerCase() + source.slice(slash);
}

export function isHashSource(source: string): boolean {
  return source.startsWith("'") && /^'sha(256|384|512)-/i.test(source);
}

export function cspText(policies: readonly CspPolicy[]): string {
  return policies.map(policyText).sort(byCodeUnit).join(', ');
}

function policyText(policy: CspPolicy): string {
  return [...policy]
    .map(([name, sources]) => [name, ...sources].join(' '))
    .sort(byCodeUnit)
    .join('; ');
}

/**
 * The sources that govern `directive` in one policy, with the fallbacks of CSP 3 §6.8.3; undefined means unrestricted.
 */
export function effectiveSources(policy: CspPolicy, directive: string): readonly string[] | undefined {
  for (const name of [directive, ...(FALLBACKS[directive] ?? [])]) {
    const sources = policy.get(name);
    if (sources) return sources;
  }
  return undefined;
}

const FALLBACKS: Readonly<Record<string, readonly string[]>> = {
  'script-src': ['default-src'],
  'script-src-elem': ['script-src', 'default-src'],
  'script-src-attr': ['script-src', 'default-src'],
  'style-src': ['default-src'],
  'style-src-elem': ['style-src', 'default-src'],
  'style-src-attr': ['style-src', 'default-src'],
  'object-src': ['default-src'],
  'connect-src': ['default-src'],
  'child-src': ['default-src'],
  'frame-src': ['child-src', 'default-src'],
  'worker-src': ['child-src', 'script-src', 'default-src'],
  'img-src': ['default-src'],
  'font-src': ['default-src'],
  'media-src': ['default-src'],
  'manifest-src': ['default-src'],
};

/** Requirements restrict the page, so more of them are stricter. */
const REQUIREMENTS: ReadonlySet<string> = new Set(['require-trusted-types-for', 'require-sri-for']);

/** Which side of a directive allows more; undefined if each allows something that the other does not. */
export function widerSide(
  name: string,
  left: readonly string[],
  right: readonly string[],
): 'left' | 'right' | undefined {
  const [a, b] = REQUIREMENTS.has(name) ? [right, left] : [left, right];
  const [leftHolds, rightHolds] = [allowsAll(a, b), allowsAll(b, a)];
  if (leftHolds === rightHolds) return undefined;
  return leftHolds ? 'left' : 'right';
}

function allowsAll(wide: readonly string[], narrow: readonly string[]): boolean {
  const allowed = new AllowedSources(wide);
  return narrow.every((source) => source === "'none'" || allowed.has(source));
}

const SCHEME = /^([a-z][a-z0-9+.-]*):$/;
const SCHEME_OF_HOST = /^[a-z][a-z0-9+.-]*:(?=\/\/)/;

/**
 * What a list of sources allows: `*` covers hosts and `'self'`, a scheme its hosts, `*.a.example` the hosts below it.
 * Looking a source up does not cost a pass over the list, which can have thousands.
 */
class AllowedSources {
  readonly #sources: ReadonlySet<string>;
  /** What hosts below a wildcard end with, by length. */
  readonly #endings = new Map<number, Set<string>>();

  constructor(sources: readonly string[]) {
    this.#sources = new Set(sources);
    for (const source of sources) {
      const host = hostOf(source);
      if (!host.startsWith('*.')) continue;
      const ending = host.slice(1);
      this.#endings.set(ending.length, (this.#endings.get(ending.length) ?? new Set()).add(ending));
    }
  }

  has(source: string): boolean {
    if (this.#sources.has(source)) return true;
    if (source.startsWith("'") && source !== "'self'") return false;
    if (this.#sources.has('*') && (!SCHEME.test(source) || source === 'https:' || source === 'http:'))
      return true;
    const [scheme] = SCHEME_OF_HOST.exec(source) ?? [];
    if (scheme !== undefined && this.#sources.has(scheme)) return true;
    const host = hostOf(source);
    for (const [length, endings] of this.#endings) {
      if (host.length >= length && endings.has(host.slice(host.length - length))) return true;
    }
    return false;
  }
}

function hostOf(source: string): string {
  return source.replace(/^[a-z]+:\/\//, '');
}
