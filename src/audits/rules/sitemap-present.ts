/** Checks that the site has a sitemap. */
import { describeResponse } from '../reachability.js';
import { fail, pass, siteRule } from '../rule.js';

export const sitemapPresent = siteRule({
  id: 'sitemap.present',
  title: 'The site has no sitemap',
  passTitle: 'The site has a sitemap',
  category: 'crawl',
  severity: 'warn',
  weight: 5,
  why: 'A sitemap shows search engines pages with few links, and when pages changed.',
  fix: 'Publish a sitemap and list it in robots.txt: Sitemap: https://…/sitemap.xml',
  inputs: { site: ['sitemaps', 'origin'] },
  check({ site: { sitemaps, origin } }) {
    if (sitemaps.some(({ fetch, kind }) => fetch.status === 200 && kind !== 'unreadable')) return pass;
    const [tried] = sitemaps;
    return fail({
      url: `${origin}/sitemap.xml`,
      observed: tried ? describeResponse(tried.fetch) : 'none in robots.txt, none at /sitemap.xml',
      expected: 'a sitemap in robots.txt or at /sitemap.xml',
    });
  },
});
