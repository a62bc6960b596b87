import { expect, it } from 'vitest';
import { fetched, outcomeOf } from '../../../test/support/audit-facts.js';
import { sitemapFile } from '../../../test/support/audit-sitemap.js';
import { sitemapValid } from './sitemap-valid.js';

it('fires for a problem with its line, and for a declared file that is missing', () => {
  const problems = [{ kind: 'bad-lastmod', line: 7, observed: 'yesterday' }] as const;
  expect(outcomeOf(sitemapValid, [], { sitemaps: [sitemapFile({ problems })] })).toMatchObject({
    status: 'fail',
    evidence: [{ line: 7, observed: 'bad-lastmod: yesterday' }],
  });
  const fetch = fetched('https://www.example.com/sitemap.xml', { status: 404 });
  expect(outcomeOf(sitemapValid, [], { sitemaps: [sitemapFile({ fetch })] }).status).toBe('fail');
});

it('stays silent for a valid sitemap, and if none is declared', () => {
  expect(outcomeOf(sitemapValid, [], { sitemaps: [sitemapFile()] }).status).toBe('pass');
  const fetch = fetched('https://www.example.com/sitemap.xml', { status: 404 });
  const absent = [sitemapFile({ fetch, foundBy: 'default-place' })];
  expect(outcomeOf(sitemapValid, [], { sitemaps: absent }).status).toBe('not-applicable');
});
