import { expect, it } from 'vitest';
import { fetched, outcomeOf } from '../../../test/support/audit-facts.js';
import { sitemapFile } from '../../../test/support/audit-sitemap.js';
import { sitemapPresent } from './sitemap-present.js';

it('fires for no sitemap, and for one that cannot be read', () => {
  expect(outcomeOf(sitemapPresent, []).status).toBe('fail');
  const missing = fetched('https://www.example.com/sitemap.xml', { status: 404 });
  expect(
    outcomeOf(sitemapPresent, [], { sitemaps: [sitemapFile({ fetch: missing, kind: 'unreadable' })] }),
  ).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'status 404' }],
  });
});

it('stays silent for a sitemap', () => {
  expect(outcomeOf(sitemapPresent, [], { sitemaps: [sitemapFile()] }).status).toBe('pass');
});
