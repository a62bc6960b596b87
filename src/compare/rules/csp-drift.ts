/** Two enforced policies that differ, directive by directive, after origin mapping and without nonces. */
import { sameField } from '../compare-headers.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { type CspPolicy, isHashSource } from '../fields/content-security-policy.js';
import { type Difference, NAME, type Rule, weakerWithout, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const REPORTING = new Set(['report-uri', 'report-to']);

export const cspDrift: Rule = {
  code: 'CSP_DRIFT',
  version: 2,
  title: 'Content security policies differ',
  about:
    'A directive is missing on the candidate or lists different sources. Warning; info if the candidate adds a directive, or if only hashes of inline code or reporting differ. Nonces are ignored.',
  recommendation: 'Generate both policies from one source, and let only the hosts differ.',
  inputs: ['headers.extended'],
  claims: ['content-security-policy', 'content-security-policy-report-only'],
  grouped: worstAndMore,
  compare(left, right) {
    if (left.csp.length === 0 || right.csp.length === 0) return [];
    if (sameField(left, right, 'content-security-policy')) return [];
    const names = sortedSet([...left.csp, ...right.csp].flatMap((policy) => [...policy.keys()]));
    return names.flatMap((name) => directiveDifference(name, left, right));
  },
};

function directiveDifference(name: string, left: SampleView, right: SampleView): Difference[] {
  const a = sourcesOf(left.csp, name);
  const b = sourcesOf(right.csp, name);
  if (a?.join() === b?.join()) return [];
  const plain = (sources: readonly string[] | undefined) =>
    sources?.filter((one) => !isHashSource(one)).join();
  const minor = REPORTING.has(name) || (a !== undefined && b !== undefined && plain(a) === plain(b));
  return [
    {
      section: 'headers',
      key: name,
      left: a ?? null,
      right: b ?? null,
      severity: minor ? 'info' : 'warn',
      direction: weakerWithout(a, b),
      message: `CSP ${name} is ${a?.join(' ') ?? 'absent'} on ${NAME.left} and ${b?.join(' ') ?? 'absent'} on ${NAME.right}`,
    },
  ];
}

/** Over several policies each one's sources, in order of the policies, apart by `|`. */
function sourcesOf(policies: readonly CspPolicy[], name: string): readonly string[] | undefined {
  const having = policies.filter((policy) => policy.has(name)).map((policy) => policy.get(name) ?? []);
  if (having.length === 0) return undefined;
  return having.flatMap((sources, index) => (index === 0 ? sources : ['|', ...sources]));
}
