/** Checks that links to other sites lead to pages that exist. */
import { isBrokenExternally, Reachability, unmeasuredNote } from '../reachability.js';
import { failIfAny, notApplicable, notMeasured, siteRule } from '../rule.js';

export const linkBrokenExternal = siteRule({
  id: 'link.broken-external',
  title: '{n} {link to another site is|links to other sites are} broken',
  passTitle: 'Links to other sites work',
  category: 'links',
  severity: 'warn',
  weight: 3,
  why: 'Broken links make a page look abandoned.',
  fix: 'Replace the link, or remove it.',
  inputs: { site: ['targets', 'responses', 'origin'] },
  check({ site }) {
    const { targets, responses } = site;
    const links = [...targets.values()].filter(({ internal, roles }) => !internal && roles.includes('link'));
    if (links.length === 0) return notApplicable('no page links to another site');
    const reachability = new Reachability(site);
    const judged = links.flatMap((target) => {
      const response = responses.get(target.url);
      return response ? [{ ...target, reach: reachability.judge(response, isBrokenExternally) }] : [];
    });
    if (judged.length === 0) return notMeasured('links to other sites were not requested');
    const unmeasured = judged.filter(({ reach }) => reach.state === 'not-measured').map(({ url }) => url);
    const note = unmeasured.length > 0 ? { note: unmeasuredNote(['link', 'links'], unmeasured) } : {};
    if (unmeasured.length === judged.length) return notMeasured(note.note ?? '');
    const evidence = judged.flatMap(({ url, referrers, reach }) =>
      reach.state === 'broken'
        ? [
            {
              url,
              ...(referrers[0] && {
                element: `"${referrers[0].text}" on ${referrers[0].page}`,
                line: referrers[0].line,
              }),
              observed: reach.observed,
              expected: 'a page that exists',
              related: [...new Set(referrers.map(({ page }) => page))],
            },
          ]
        : [],
    );
    return failIfAny(evidence, { of: judged.length - unmeasured.length, ...note });
  },
});
