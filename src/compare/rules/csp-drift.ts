/** Two enforced policies that differ, directive by directive, after origin mapping and without nonces. */
import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import {
  type CspPolicy,
  effectiveSources,
  isHashSource,
  widerSide,
} from '../fields/content-security-policy.js';
import type { Direction } from '../finding.js';
import { type Difference, NAME, type Rule, weakerSide, weakerWithout, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const REPORTING = new Set(['report-uri', 'report-to']);

export const cspDrift: Rule = {
  code: 'CSP_DRIFT',
  version: 3,
  title: 'Content security policies differ',
  about:
    'A directive is missing on the candidate, allows more sources there or lists different ones. Warning; info if the candidate adds a directive or allows less, or only hashes of inline code or reporting differ, or a directive only repeats what it would fall back to. A directive that is absent falls back to its parent, such as default-src. Nonces never count.',
  recommendation: 'Generate both policies from one source, and let only the hosts differ.',
  inputs: ['headers.extended'],
  claims: ['content-security-policy', 'content-security-policy-report-only'],
  grouped: worstAndMore,
  compare(left, right) {
    if (left.csp.length === 0 || right.csp.length === 0) return [];
    if (sameField(left, right, 'content-security-policy')) return [];
    const names = sortedSet([...left.csp, ...right.csp].flatMap((policy) => [...policy.keys()]));
    return differencesOf(names, (name) => directiveDifference(name, left, right));
  },
};

function directiveDifference(name: string, left: SampleView, right: SampleView): Difference | undefined {
  const a = sourcesOf(left.csp, name);
  const b = sourcesOf(right.csp, name);
  if (a?.join() === b?.join()) return undefined;
  const plain = (sources: readonly string[] | undefined) =>
    sources?.filter((one) => !isHashSource(one)).join();
  const minor =
    REPORTING.has(name) ||
    (a !== undefined && b !== undefined && plain(a) === plain(b)) ||
    sameInEffect(name, left.csp, right.csp);
  return {
    section: 'headers',
    key: name,
    left: a ?? null,
    right: b ?? null,
    severity: minor ? 'info' : 'warn',
    direction: directionOf(name, left.csp, right.csp),
    message: `CSP ${name} is ${formatSources(a)} on ${NAME.left} and ${formatSources(b)} on ${NAME.right}`,
  };
}

/** A directive without sources is a switch, such as `upgrade-insecure-requests`. */
function formatSources(sources: readonly string[] | undefined): string {
  if (sources === undefined) return 'absent';
  return sources.length === 0 ? 'set' : sources.join(' ');
}

/** Whether one side spells out what the other falls back to. */
function sameInEffect(name: string, left: readonly CspPolicy[], right: readonly CspPolicy[]): boolean {
  const [a, b] = [left[0], right[0]];
  if (!a || !b || left.length > 1 || right.length > 1) return false;
  return effectiveSources(a, name)?.join() === effectiveSources(b, name)?.join();
}

/** The side that allows more is weaker; several policies are not combined. */
function directionOf(name: string, left: readonly CspPolicy[], right: readonly CspPolicy[]): Direction {
  const [a, b] = [left[0], right[0]];
  if (!a || !b || left.length > 1 || right.length > 1) return 'changed';
  const sources = [effectiveSources(a, name), effectiveSources(b, name)] as const;
  if (sources[0] === undefined || sources[1] === undefined) return weakerWithout(sources[0], sources[1]);
  const wider = widerSide(name, sources[0], sources[1]);
  return wider === undefined ? 'changed' : weakerSide(wider);
}

/** The sources of every policy that has the directive, separated by `|`. */
function sourcesOf(policies: readonly CspPolicy[], name: string): readonly string[] | undefined {
  const lists = policies.filter((policy) => policy.has(name)).map((policy) => policy.get(name) ?? []);
  if (lists.length === 0) return undefined;
  return lists.flatMap((sources, index) => (index === 0 ? sources : ['|', ...sources]));
}
