/** Two enforced policies that differ, directive by directive, after origin mapping and without nonces. */
import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { effectiveSources, isHashSource, widerSide } from '../fields/content-security-policy.js';
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
  const a = sourcesOf(left, name);
  const b = sourcesOf(right, name);
  if (a?.join() === b?.join()) return undefined;
  const plain = (sources: Sources) => sources?.filter((one) => !isHashSource(one)).join();
  const effective = sourcesInEffect(name, left, right);
  const minor =
    REPORTING.has(name) ||
    (a !== undefined && b !== undefined && plain(a) === plain(b)) ||
    (effective !== undefined && effective[0]?.join() === effective[1]?.join());
  return {
    section: 'headers',
    key: name,
    left: a ?? null,
    right: b ?? null,
    severity: minor ? 'info' : 'warn',
    direction: effective ? directionOf(name, effective) : 'changed',
    message: `CSP ${name} is ${formatSources(a)} on ${NAME.left} and ${formatSources(b)} on ${NAME.right}`,
  };
}

/** A directive without sources is a switch, such as `upgrade-insecure-requests`. */
function formatSources(sources: Sources): string {
  if (sources === undefined) return 'absent';
  return sources.length === 0 ? 'set' : sources.join(' ');
}

type Sources = readonly string[] | undefined;

/** What governs the directive on each side, with fallbacks; undefined if there are several policies to combine. */
function sourcesInEffect(
  name: string,
  left: SampleView,
  right: SampleView,
): readonly [Sources, Sources] | undefined {
  if (left.csp.length !== 1 || right.csp.length !== 1) return undefined;
  const [[a], [b]] = [left.csp, right.csp];
  if (!a || !b) return undefined;
  return [effectiveSources(a, name), effectiveSources(b, name)];
}

/** The side that allows more is weaker. */
function directionOf(name: string, [a, b]: readonly [Sources, Sources]): Direction {
  if (a === undefined || b === undefined) return weakerWithout(a, b);
  const wider = widerSide(name, a, b);
  return wider === undefined ? 'changed' : weakerSide(wider);
}

/** The sources of every policy that has the directive, separated by `|`. */
function sourcesOf(view: SampleView, name: string): Sources {
  return sourcesByName(view).get(name);
}

/** For all directives at once: a header can hold thousands of policies, each with a directive of its own. */
function sourcesByName(view: SampleView): ReadonlyMap<string, readonly string[]> {
  return view.parsed('csp-sources', () => {
    const byName = new Map<string, string[]>();
    for (const policy of view.csp) {
      for (const [name, sources] of policy) {
        const known = byName.get(name);
        if (known) known.push('|', ...sources);
        else byName.set(name, [...sources]);
      }
    }
    return byName;
  });
}
