/** Checks that the URLs in a sitemap can be indexed. */
import { canonicalsElsewhere } from '../canonical-links.js';
import { crawlUrl } from '../crawl/crawl-url.js';
import { directivesOf, noindexOf } from '../directives.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import { describeResponse } from '../reachability.js';
import { failIfAny, notApplicable, notMeasured, type SitePage, siteRule } from '../rule.js';

type Page = SitePage<'fetch', 'metas' | 'links'>;

export const sitemapUrlsIndexable = siteRule({
  id: 'sitemap.urls-indexable',
  title: '{n} {URL in a sitemap|URLs in sitemaps} cannot be indexed',
  passTitle: 'Sitemaps list indexable pages only',
  category: 'crawl',
  severity: 'warn',
  weight: 6,
  why: 'Search engines trust a sitemap less if it lists dead or hidden pages, and waste requests on them.',
  fix: 'Remove the URL from the sitemap, or make it return 200 with itself as canonical.',
  perPage: true,
  inputs: {
    pages: ['fetch'],
    documents: ['metas', 'links'],
    site: ['sitemapEntries', 'responses', 'targets'],
  },
  check({ pages, site: { sitemapEntries, responses, targets } }) {
    if (sitemapEntries.length === 0) return notApplicable('no sitemap lists a URL');
    const byUrl = new Map(pages.map((page) => [page.url, page]));
    const known = sitemapEntries.flatMap((entry) => {
      const url = crawlUrl(new URL(entry.url));
      const page = byUrl.get(url);
      const fetch = page?.fetch ?? responses.get(url);
      if (!fetch) return [];
      // A missing page that is also linked is a broken link; it counts once.
      const isLinked = targets.get(url)?.roles.includes('link') ?? false;
      const isGone = fetch.status === 404 || fetch.status === 410;
      return [{ entry, fault: isGone && isLinked ? undefined : faultOf(fetch, page) }];
    });
    if (known.length === 0) return notMeasured('none of the listed URLs was requested');
    const expected = 'status 200, indexable, canonical to itself';
    return failIfAny(
      known.flatMap(({ entry: { url, sitemap: element, line }, fault: observed }) =>
        observed === undefined ? [] : [{ url, element, line, observed, expected }],
      ),
      { of: known.length },
    );
  },
});

function faultOf(fetch: FetchFacts, page: Page | undefined): string | undefined {
  if (fetch.redirects.length > 0) return `a redirect to ${fetch.finalUrl}`;
  if (fetch.status !== 200) return describeResponse(fetch);
  const noindex = noindexOf(directivesOf(fetch, page?.document ?? null));
  if (noindex) return `noindex by ${noindex.from}`;
  const { document, url } = page ?? {};
  if (!document || url === undefined) return undefined;
  const [away] = canonicalsElsewhere({ url, fetch }, document);
  return away && `a canonical of ${away.href}`;
}
