/** Whether search engines may list the page: X-Robots-Tag, meta robots and robots.txt, seen together. */
import { isAllowedByRobots } from '../fields/robots-rules.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const indexabilityDrift: Rule = {
  code: 'INDEXABILITY_DRIFT',
  version: 2,
  title: 'The page is hidden from search engines',
  about:
    'The candidate is hidden from search engines by X-Robots-Tag, meta robots or robots.txt, and the reference is not: critical, because shipping it would remove the page from search results. The other way round is info. If a staging host is hidden on purpose, use --ignore INDEXABILITY_DRIFT.',
  recommendation: 'Remove noindex and Disallow before shipping; hide staging by host, not in the build.',
  inputs: ['headers.extended'],
  claims: ['x-robots-tag'],
  compare(left, right) {
    const reasons = { left: hiddenBy(left), right: hiddenBy(right) };
    if ((reasons.left.length === 0) === (reasons.right.length === 0)) return [];
    const hidden = reasons.left.length > 0 ? 'left' : 'right';
    return [
      {
        section: 'headers',
        key: 'robots',
        left: reasons.left.length === 0 ? 'indexable' : reasons.left,
        right: reasons.right.length === 0 ? 'indexable' : reasons.right,
        severity: 'critical',
        direction: weakerSide(hidden),
        message: `Only ${NAME[hidden]} is hidden from search engines: ${reasons[hidden].join('; ')}`,
        kind: hidden,
      },
    ];
  },
};

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
