/** Evaluates a side's security headers, once for all rules and the grade. */
import { type CspPolicy, effectiveSources, isHashSource } from './fields/content-security-policy.js';
import { parseDirectives, seconds } from './fields/directives.js';
import type { SampleView } from './sample-view.js';

export interface Hsts {
  readonly maxAge: number;
  readonly includeSubDomains: boolean;
  readonly preload: boolean;
}

/** undefined if the field is absent. Without a valid max-age it counts as 0, as in browsers. */
export function hstsOf(view: SampleView): Hsts | undefined {
  return view.parsed('hsts', () => {
    const lines = view.lines('strict-transport-security');
    if (!lines) return undefined;
    const directives = parseDirectives(lines.slice(0, 1), ';');
    return {
      maxAge: seconds(directives, 'max-age') ?? 0,
      includeSubDomains: directives.has('includesubdomains'),
      preload: directives.has('preload'),
    };
  });
}

/** Whether the response came over https; browsers apply HSTS only then. */
export function isHttps(view: SampleView): boolean {
  const text = view.response?.finalUrl;
  if (text === undefined) return false;
  // Only unusual spellings need the parser.
  if (text.startsWith('http://') || text.startsWith('https://')) return text.startsWith('https');
  return view.finalUrl?.protocol === 'https:';
}

/** Who may frame the page: frame-ancestors if a policy has it, else X-Frame-Options; undefined means anyone. */
export function framePolicyOf(view: SampleView): string | undefined {
  return view.parsed('frame-policy', () => {
    const stated = view.csp.filter((policy) => policy.has('frame-ancestors'));
    if (stated.length > 0) {
      const ancestors = stated.flatMap((policy) => policy.get('frame-ancestors') ?? []);
      return ancestors.length === 0 ? "'none'" : ancestors.join(' ');
    }
    const option = view.text('x-frame-options')?.trim().toLowerCase();
    if (option === 'deny') return "'none'";
    return option === 'sameorigin' ? "'self'" : undefined;
  });
}

/** How strict the policy is, from 0 to 3; a list of hosts is between 'self' and anyone. */
export function frameStrength(policy: string | undefined): number {
  if (policy === undefined || policy.split(' ').includes('*')) return 0;
  if (policy === "'none'") return 3;
  return policy === "'self'" ? 2 : 1;
}

const WEAK_SCHEMES = ['*', 'http:', 'https:', 'data:', 'blob:'];

/** The weaknesses that remain when all enforced policies apply together. */
export function cspWeaknesses(policies: readonly CspPolicy[]): readonly string[] {
  if (policies.length === 0) return [];
  // All policies apply, so a weakness counts only if every policy has it.
  const [first = [], ...others] = policies.map(policyWeaknesses);
  return first.filter((weakness) => others.every((list) => list.includes(weakness)));
}

function isGuarded(scripts: readonly string[]): boolean {
  return scripts.some(
    (source) => source === "'nonce'" || source === "'strict-dynamic'" || isHashSource(source),
  );
}

function scriptWeaknesses(name: string, scripts: readonly string[]): string[] {
  const found: string[] = [];
  if (scripts.includes("'unsafe-inline'") && !isGuarded(scripts)) found.push(`${name} 'unsafe-inline'`);
  if (scripts.includes("'unsafe-eval'")) found.push(`${name} 'unsafe-eval'`);
  if (scripts.includes("'strict-dynamic'")) return found;
  for (const scheme of WEAK_SCHEMES) if (scripts.includes(scheme)) found.push(`${name} ${scheme}`);
  return found;
}

function policyWeaknesses(policy: CspPolicy): string[] {
  const scripts = effectiveSources(policy, 'script-src');
  if (!scripts) return ['script-src missing'];
  const found = scriptWeaknesses('script-src', scripts);
  for (const name of ['script-src-elem', 'script-src-attr']) {
    const own = policy.get(name);
    if (own) found.push(...scriptWeaknesses(name, own));
  }
  const guarded = isGuarded(scripts);
  const objects = effectiveSources(policy, 'object-src');
  if (!objects || objects.includes('*')) found.push('object-src open');
  if (policy.get('base-uri') === undefined && guarded) found.push('base-uri open');
  return found;
}

/** Weakest first. */
const REFERRER_POLICIES = [
  'unsafe-url',
  'no-referrer-when-downgrade',
  'origin',
  'origin-when-cross-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
  'same-origin',
  'no-referrer',
];

/** Higher is stricter; 1 leaks URLs, and 0 means that no policy is known. The last known policy counts (§8.1). */
export function referrerStrength(value: string): number {
  const strengths = value
    .toLowerCase()
    .split(',')
    .map((policy) => REFERRER_POLICIES.indexOf(policy.trim()) + 1);
  return strengths.findLast((strength) => strength > 0) ?? 0;
}
