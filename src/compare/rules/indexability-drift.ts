/** Whether search engines may list the page: X-Robots-Tag, meta robots and robots.txt, seen together. */
import { isAllowedByRobots } from '../fields/robots-rules.js';
import type { Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const indexabilityDrift: Rule = {
  code: 'INDEXABILITY_DRIFT',
  version: 1,
  title: 'Search engines may list one side only',
  about:
    'One side may be indexed, the other not. Critical when the protected side (production) is the hidden one, which also means that staging is open; information the other way round, which is how it should be.',
  recommendation: 'Remove noindex and Disallow from production, and keep staging out of search engines.',
  inputs: ['headers.extended'],
  claims: ['x-robots-tag'],
  compare(left, right, { protectedSide }) {
    const reasons = { left: hiddenBy(left), right: hiddenBy(right) };
    if ((reasons.left.length === 0) === (reasons.right.length === 0)) return [];
    const hidden = reasons.left.length > 0 ? 'left' : 'right';
    return [
      {
        section: 'headers',
        key: 'robots',
        left: reasons.left.length === 0 ? 'indexable' : reasons.left,
        right: reasons.right.length === 0 ? 'indexable' : reasons.right,
        severity: hidden === protectedSide ? 'critical' : 'info',
        direction: hidden === 'left' ? 'left_only' : 'right_only',
        message: `Only the ${hidden} side is hidden from search engines: ${reasons[hidden].join('; ')}`,
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
