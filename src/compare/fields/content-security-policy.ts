/**
 * Content-Security-Policy: several policies over lines and commas, each a set of directives. Sources are a set;
 * nonces are one and the same source whatever their value, hashes keep theirs. Directive names, schemes, hosts
 * and keywords are compared in lower case; the first of a repeated directive counts, as browsers do.
 */
import { byCodeUnit, sortedSet } from './code-unit-order.js';

/** Directive → its sources in code-unit order. */
export type CspPolicy = ReadonlyMap<string, readonly string[]>;

export function parseCsp(lines: readonly string[]): CspPolicy[] {
  const policies: CspPolicy[] = [];
  for (const line of lines) {
    for (const text of line.includes(',') ? line.split(',') : [line]) {
      const policy = parsePolicy(text);
      if (policy.size > 0) policies.push(policy);
    }
  }
  return policies;
}

function parsePolicy(text: string): CspPolicy {
  const policy = new Map<string, readonly string[]>();
  for (const part of text.split(';')) {
    const [first, ...words] = wordsOf(part);
    const name = first?.toLowerCase();
    if (name === undefined || policy.has(name)) continue;
    for (let at = 0; at < words.length; at++) words[at] = sourceText(words[at] as string);
    policy.set(name, words.length < 2 ? words : sortedSet(words));
  }
  return policy;
}

/** Between ASCII white space, as the standard splits; nearly always that is single blanks. */
function wordsOf(text: string): string[] {
  const plain = /[\t\n\f\r]/.test(text) ? text.replace(/[\t\n\f\r]/g, ' ') : text;
  // A directive nearly always follows a semicolon and a blank.
  const words = (plain.startsWith(' ') ? plain.slice(1) : plain).split(' ');
  return words.includes('') ? words.filter((word) => word !== '') : words;
}

function sourceText(source: string): string {
  if (source.startsWith("'")) {
    const lower = source.toLowerCase();
    if (lower.startsWith("'nonce-")) return "'nonce'";
    return isHashSource(lower) ? source : lower;
  }
  // A path is case-sensitive, all before it is not.
  const scheme = source.indexOf('://');
  const slash = source.indexOf('/', scheme < 0 ? 0 : scheme + 3);
  return slash < 0 ? source.toLowerCase() : source.slice(0, slash).toLowerCase() + source.slice(slash);
}

export function isHashSource(source: string): boolean {
  return source.startsWith("'") && /^'sha(256|384|512)-/i.test(source);
}

/** Policies are remembered, and so their texts are too. */
const texts = new WeakMap<readonly CspPolicy[], string>();

export function cspText(policies: readonly CspPolicy[]): string {
  let text = texts.get(policies);
  if (text === undefined) {
    text = policies.map(policyText).sort(byCodeUnit).join(', ');
    texts.set(policies, text);
  }
  return text;
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
