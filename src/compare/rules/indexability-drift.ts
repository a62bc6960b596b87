/** Whether search engines may list the page, from X-Robots-Tag, meta robots and robots.txt together. */
import { sortedSet } from '../fields/code-unit-order.js';
import { isAllowedByRobots } from '../fields/robots-rules.js';
import { bothValues, type Difference, NAME, type Rule, weakerSide, weakerSubset } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const indexabilityDrift: Rule = {
  code: 'INDEXABILITY_DRIFT',
  version: 3,
  title: 'The page is hidden from search engines',
  about:
    'The candidate is hidden from search engines by X-Robots-Tag, meta robots or robots.txt, and the reference is not: critical, since it would take the page out of search results once it ships. Another restriction on the candidate alone, such as nofollow or nosnippet, is a warning. The other way round is info. A staging host that is hidden on purpose is a case for --ignore INDEXABILITY_DRIFT.',
  recommendation: 'Remove noindex and Disallow before shipping; hide staging by host, not in the build.',
  inputs: ['headers.extended'],
  claims: ['x-robots-tag'],
  compare(left, right) {
    const reasons = { left: hiddenBy(left), right: hiddenBy(right) };
    if ((reasons.left.length === 0) === (reasons.right.length === 0))
      return restrictionDifference(left, right);
    const hidden = reasons.left.length > 0 ? 'left' : 'right';
    return {
      section: 'headers',
      key: 'robots',
      left: reasons.left.length === 0 ? 'indexable' : reasons.left,
      right: reasons.right.length === 0 ? 'indexable' : reasons.right,
      severity: 'critical',
      direction: weakerSide(hidden),
      message: `Only ${NAME[hidden]} is hidden from search engines: ${reasons[hidden].join('; ')}`,
      kind: hidden,
    };
  },
};

/** Directives that limit what a search engine does with a page that it may list. */
const RESTRICTIONS = /\b(nofollow|nosnippet|noarchive|noimageindex|notranslate|unavailable_after)\b/gi;

function restrictionsOf(view: SampleView): readonly string[] {
  const texts = [...(view.lines('x-robots-tag') ?? []), ...(view.envelope.body?.html?.robots ?? [])];
  return sortedSet(texts.flatMap((text) => (text.match(RESTRICTIONS) ?? []).map((one) => one.toLowerCase())));
}

function restrictionDifference(left: SampleView, right: SampleView): Difference | undefined {
  const [a, b] = [restrictionsOf(left), restrictionsOf(right)];
  if (a.join() === b.join()) return undefined;
  return {
    section: 'headers',
    key: 'robots restrictions',
    left: a.length === 0 ? null : a,
    right: b.length === 0 ? null : b,
    severity: 'warn',
    direction: weakerSubset(b, a),
    message: bothValues('The robots directive', a.join(', ') || null, b.join(', ') || null),
  };
}

/** Why a search engine would not list this page; empty when it would. */
function hiddenBy(view: SampleView): string[] {
  const reasons: string[] = [];
  for (const line of view.lines('x-robots-tag') ?? []) {
    if (/\b(noindex|none)\b/i.test(line)) reasons.push(`X-Robots-Tag: ${line}`);
  }
  for (const content of view.envelope.body?.html?.robots ?? []) {
    if (/\b(noindex|none)\b/i.test(content)) reasons.push(`meta robots: ${content}`);
  }
  const robots = view.envelope.exchanges?.robots;
  if (view.covers('exchanges.robots') && robots?.robots && view.finalUrl) {
    if (!isAllowedByRobots(robots.robots.groups, view.finalUrl.pathname + view.finalUrl.search)) {
      reasons.push('robots.txt disallows it');
    }
  }
  return reasons;
}
