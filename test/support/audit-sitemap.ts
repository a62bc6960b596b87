/** A sitemap without faults, for the tests of the rules about sitemaps. */

import type { SitemapEntry, SitemapFacts } from '../../src/audits/facts/site-facts.js';
import { fetched } from './audit-facts.js';

const SITEMAP_URL = 'https://www.example.com/sitemap.xml';

export function sitemapFile(facts: Partial<SitemapFacts> = {}): SitemapFacts {
  return {
    url: SITEMAP_URL,
    foundBy: 'robots',
    foundOn: 'https://www.example.com/robots.txt',
    fetch: fetched(SITEMAP_URL, { headers: [['content-type', 'application/xml']] }),
    kind: 'urlset',
    bytes: 1000,
    entryCount: 1,
    problems: [],
    problemCount: 0,
    ...facts,
  };
}

export function sitemapEntries(...paths: readonly string[]): SitemapEntry[] {
  return paths.map((path, index) => ({
    url: `https://www.example.com${path}`,
    lastmod: null,
    sitemap: SITEMAP_URL,
    line: index + 1,
  }));
}
