/** Checks that sitemaps and links cover the same pages. */
import { canonicalsElsewhere } from '../canonical-links.js';
import { crawlUrl } from '../crawl/crawl-url.js';
import { isIndexable } from '../directives.js';
import { failIfAny, notApplicable, notMeasured, type SitePage, siteRule } from '../rule.js';

type Page = SitePage<'fetch' | 'depth' | 'foundBy', 'metas' | 'links'>;

export const sitemapCoverage = siteRule({
  id: 'sitemap.coverage',
  title: '{n} {page is|pages are} either missing from the sitemap or not linked',
  passTitle: 'Sitemaps and links cover the same pages',
  category: 'crawl',
  severity: 'info',
  weight: 3,
  why: 'Search engines are slow to find a page that is linked but not listed, and treat one that is listed but not linked as unimportant.',
  fix: 'Add the page to the sitemap, or link to it.',
  perPage: true,
  inputs: {
    pages: ['fetch', 'depth', 'foundBy'],
    documents: ['metas', 'links'],
    site: ['sitemapEntries', 'sitemapEntriesCut'],
  },
  check({ pages, site: { sitemapEntries, sitemapEntriesCut } }) {
    if (sitemapEntries.length === 0) return notApplicable('no sitemap lists a URL');
    if (sitemapEntriesCut) return notMeasured('the sitemaps list more URLs than the audit keeps');
    const listed = new Set(sitemapEntries.map(({ url }) => crawlUrl(new URL(url))));
    const indexable = pages.filter((page) => page.document !== null && isIndexable(page) && isItsOwn(page));
    const unlisted = indexable.filter(({ url }) => !listed.has(url));
    const orphans = indexable.filter(
      ({ url, depth, foundBy }) => listed.has(url) && depth === null && foundBy === 'sitemap',
    );
    const missing = { observed: 'linked, not in a sitemap', expected: 'listed in a sitemap' };
    const orphaned = { observed: 'in a sitemap, not linked', expected: 'a link from another page' };
    return failIfAny(
      [
        ...unlisted.map(({ url }) => ({ url, ...missing })),
        ...orphans.map(({ url }) => ({ url, ...orphaned })),
      ],
      { of: indexable.length },
    );
  },
});

/** Whether the page is its own canonical; a page with another canonical does not belong in a sitemap. */
function isItsOwn({ url, fetch, document }: Page): boolean {
  if (!fetch || !document) return false;
  return canonicalsElsewhere({ url, fetch }, document).length === 0;
}
