/** Checks that robots.txt does not block linked or listed pages for Googlebot. */

import { robotsVerdict } from '../robots/robots-verdict.js';
import { fail, notApplicable, notMeasured, pageRule, pass } from '../rule.js';

export const idxBlockedByRobots = pageRule({
  id: 'idx.blocked-by-robots',
  title: '{n} linked {page is|pages are} blocked by robots.txt',
  passTitle: 'Linked pages are not blocked by robots.txt',
  category: 'index',
  severity: 'error',
  weight: 9,
  why: 'Search engines cannot read a blocked page, so they index it without its content or not at all.',
  fix: 'Allow the path in robots.txt, or stop linking to it.',
  on: 'url',
  inputs: { site: ['robots'] },
  check({ page: { url }, site: { robots } }) {
    const file = robots.find(({ origin }) => origin === new URL(url).origin);
    if (!file) return notMeasured('the robots.txt of this origin was not read');
    if (file.fetch.status !== 200) return notApplicable('there is no robots.txt');
    const { allowed, line, rule } = robotsVerdict(file, 'Googlebot', url);
    if (allowed) return pass;
    return fail({
      url,
      element: `${file.origin}/robots.txt`,
      ...(line !== null && { line }),
      observed: rule ?? 'blocked',
      expected: 'a path that Googlebot may fetch',
    });
  },
});
