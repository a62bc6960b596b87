import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { sitemapEntries } from '../../../test/support/audit-sitemap.js';
import { sitemapCoverage } from './sitemap-coverage.js';

const html = '<p>x</p>';

it('fires for a linked page that is not listed, and for a listed one that is not linked', () => {
  const pages = [
    page('/', { html }),
    page('/a', { html }),
    page('/b', { html, depth: null, foundBy: 'sitemap' }),
  ];
  expect(outcomeOf(sitemapCoverage, pages, { sitemapEntries: sitemapEntries('/', '/b') })).toMatchObject({
    status: 'fail',
    evidence: [
      { url: 'https://www.example.com/a', observed: 'linked, not in a sitemap' },
      { url: 'https://www.example.com/b', observed: 'in a sitemap, not linked' },
    ],
  });
});

it('stays silent if they agree, and for a copy that is not listed', () => {
  const copy = page('/copy', { html: '<head><link rel=canonical href="https://www.example.com/"></head>' });
  expect(
    outcomeOf(sitemapCoverage, [page('/', { html }), copy], { sitemapEntries: sitemapEntries('/') }).status,
  ).toBe('pass');
  const cut = { sitemapEntries: sitemapEntries('/'), sitemapEntriesCut: true };
  expect(outcomeOf(sitemapCoverage, [page('/', { html })], cut).status).toBe('not-measured');
  expect(outcomeOf(sitemapCoverage, []).status).toBe('not-applicable');
});
