/** Links to other sites lead to pages that are there. */
import type { FetchFacts } from '../facts/fetch-facts.js';
import { failIfAny, notApplicable, notMeasured, siteRule } from '../rule.js';

/** What a site tells a program and not its readers (login, refusal of bots, too many requests) breaks no link. */
const BROKEN = new Set([404, 410]);
const FAULTS = new Set([
  'dns_error',
  'connect_error',
  'tls_error',
  'timeout',
  'redirect_loop',
  'redirect_limit',
]);

export const linkBrokenExternal = siteRule({
  id: 'link.broken-external',
  title: 'Links to other sites work',
  category: 'links',
  severity: 'warn',
  weight: 3,
  levels: 1,
  why: 'A dead reference makes the page look abandoned.',
  fix: 'Replace the link, or remove it.',
  inputs: { site: ['targets', 'answers'] },
  check({ site: { targets, answers } }) {
    const links = [...targets.values()].filter(({ internal, roles }) => !internal && roles.includes('link'));
    if (links.length === 0) return notApplicable('no page links to another site');
    const known = links.flatMap((target) => {
      const answer = answers.get(target.url);
      return answer ? [{ ...target, fault: faultOf(answer) }] : [];
    });
    if (known.length === 0) return notMeasured('none of the other sites was asked');
    return failIfAny(
      known.flatMap(({ url, referrers, fault }) =>
        fault === undefined
          ? []
          : [
              {
                url,
                ...(referrers[0] && {
                  element: `"${referrers[0].text}" on ${referrers[0].page}`,
                  line: referrers[0].line,
                }),
                observed: fault,
                expected: 'a page that answers',
                related: [...new Set(referrers.map(({ page }) => page))],
              },
            ],
      ),
    );
  },
});

function faultOf({ status, error }: FetchFacts): string | undefined {
  if (status === null) return FAULTS.has(error?.code ?? '') ? `no answer: ${error?.code}` : undefined;
  return BROKEN.has(status) || (status >= 500 && status !== 503) ? `status ${status}` : undefined;
}
