/** Checks that a canonical leads to a live, indexable page on the same host. */

import { canonicalsElsewhere } from '../canonical-links.js';
import { crawlUrl } from '../crawl/crawl-url.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import { isLoopback } from '../loopback.js';
import { describeResponse, isUnreached } from '../reachability.js';
import { responseOf } from '../response-of.js';
import { type Evidence, failIfAny, notApplicable, notMeasured, pageRule } from '../rule.js';

export const idxCanonicalTarget = pageRule({
  id: 'idx.canonical-target',
  title:
    '{n} {page has a canonical URL that does|pages have canonical URLs that do} not lead to an indexable page',
  passTitle: 'Canonical URLs lead to indexable pages',
  category: 'index',
  severity: 'warn',
  weight: 6,
  why: 'A canonical that leads nowhere removes the page from the index without a replacement.',
  fix: 'Point the canonical to a page that returns 200, may be indexed and does not redirect.',
  on: 'html',
  inputs: { page: ['fetch'], document: ['links'], site: ['responses', 'noindexed'] },
  check({ page, document, site: { responses, noindexed } }) {
    const away = canonicalsElsewhere(page, document);
    if (away.length === 0) return notApplicable('the page has no other canonical page');
    const evidence: Evidence[] = [];
    let unknown = 0;
    for (const { href, url: target, line } of away) {
      const fault =
        (isLoopback(page.url) ? undefined : hostFault(page.url, target)) ??
        responseFault(responseOf(responses, target), noindexed.has(crawlUrl(new URL(target))));
      if (fault === 'unknown') unknown += 1;
      else if (fault !== undefined) {
        evidence.push({
          url: page.url,
          element: `canonical ${href}`,
          ...(line !== null && { line }),
          observed: fault,
          expected: 'a page on this host that returns 200 and may be indexed',
        });
      }
    }
    if (evidence.length === 0 && unknown > 0) return notMeasured('the canonical page was not requested');
    return failIfAny(evidence);
  },
});

function hostFault(page: string, target: string): string | undefined {
  const { host } = new URL(target);
  return host === new URL(page).host ? undefined : `a different host: ${host}`;
}

function responseFault(response: FetchFacts | undefined, noindex: boolean): string | undefined {
  if (!response) return 'unknown';
  if (response.redirects.length > 0) return `a redirect to ${response.finalUrl}`;
  if (isUnreached(response)) return 'unknown';
  if (response.status !== 200) return describeResponse(response);
  return noindex ? 'a page with noindex' : undefined;
}
