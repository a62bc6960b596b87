/** Checks that sitemaps are valid. */
import type { SitemapFacts, SitemapProblem } from '../facts/site-facts.js';
import { isHtmlFallback } from '../html-fallback.js';
import { isLoopback } from '../loopback.js';
import { describeResponse } from '../reachability.js';
import { type Evidence, failIfAny, notApplicable, siteRule } from '../rule.js';

const EXPECTED: Readonly<Record<SitemapProblem['kind'], string>> = {
  xml: 'well-formed XML',
  'not-a-sitemap': 'a <urlset> or a <sitemapindex>',
  'too-many-urls': 'at most 50,000 URLs per file',
  'too-large': 'at most 50 MB per file',
  'relative-url': 'an absolute URL',
  'bad-url': 'an http or https URL',
  'other-host': 'URLs on the same host as the sitemap',
  'bad-lastmod': 'a W3C date such as 2026-01-31',
  'missing-loc': 'a <loc> in every entry',
  'nested-index': 'an index of sitemaps, not of indexes',
  gzip: 'an intact gzip file',
};

export const sitemapValid = siteRule({
  id: 'sitemap.valid',
  title: 'Sitemaps have {n} {error|errors}',
  passTitle: 'Sitemaps are well-formed',
  category: 'crawl',
  severity: 'error',
  weight: 5,
  why: 'Search engines read an invalid sitemap only up to the error, or not at all.',
  fix: 'Correct the entry, or split the file.',
  inputs: { site: ['sitemaps'] },
  check({ site: { sitemaps } }) {
    // The default place is only a guess, so neither a missing file nor an HTML page there is a fault.
    const named = sitemaps.filter(
      ({ foundBy, fetch }) => foundBy !== 'default-place' || (fetch.status === 200 && !isHtmlFallback(fetch)),
    );
    if (named.length === 0) return notApplicable('there is no sitemap');
    return failIfAny(named.flatMap(evidenceOf));
  },
});

function evidenceOf({ url, fetch, problems, foundOn }: SitemapFacts): Evidence[] {
  // The sitemap of a preview lists the URLs of the public site.
  const own = isLoopback(url) ? problems.filter(({ kind }) => kind !== 'other-host') : problems;
  if (fetch.status !== 200) {
    return [
      {
        url,
        observed: describeResponse(fetch),
        expected: 'status 200',
        ...(foundOn !== null && { related: [foundOn] }),
      },
    ];
  }
  return own.map(({ kind, line, observed }) => ({
    url,
    line,
    observed: `${kind}: ${observed}`,
    expected: EXPECTED[kind],
  }));
}
