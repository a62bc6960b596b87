/**
 * Content-Security-Policy: several policies over lines and commas, each a set of directives. Sources are a set;
 * nonces are one and the same source whatever their value, hashes keep theirs. Directive names, schemes, hosts
 * and keywords are compared in lower case; the first of a repeated directive counts, as browsers do.
 */
import { byCodeUnit, sortedSet } from './code-unit-order.js';

/** Directive → its sources in code-unit order. */
export type CspPolicy = ReadonlyMap<string, readonly string[]>;

export function parseCsp(lines: readonly string[]): CspPolicy[] {
  return lines
    .flatMap((line) => line.split(','))
    .map(parsePolicy)
    .filter((policy) => policy.size > 0);
}

function parsePolicy(text: string): CspPolicy {
  const policy = new Map<string, readonly string[]>();
  for (const part of text.split(';')) {
    const [name, ...sources] = part.trim().split(/\s+/);
    if (name === undefined || name === '' || policy.has(name.toLowerCase())) continue;
    policy.set(name.toLowerCase(), sortedSet(sources.map(sourceText)));
  }
  return policy;
}

function sourceText(source: string): string {
  if (/^'nonce-/i.test(source)) return "'nonce'";
  if (/^'sha(256|384|512)-/i.test(source)) return source;
  // A path is case-sensitive, all before it is not.
  const slash = source.indexOf('/', source.indexOf('://') < 0 ? 0 : source.indexOf('://') + 3);
  return slash < 0 ? source.toLowerCase() : source.slice(0, slash).toLowerCase() + source.slice(slash);
}

export function isHashSource(source: string): boolean {
  return /^'sha(256|384|512)-/i.test(source);
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

/** The sources that govern `directive` in one policy, by the fallbacks of CSP 3 §6.8.3; undefined: unrestricted. */
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
  'object-src': ['default-src'],
  'connect-src': ['default-src'],
  'frame-src': ['child-src', 'default-src'],
  'img-src': ['default-src'],
};
