import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { sitemapEntries } from '../../../test/support/audit-sitemap.js';
import { sitemapUrlsIndexable } from './sitemap-urls-indexable.js';

it('fires for missing, redirected, hidden and canonicalized URLs', () => {
  const pages = [
    page('/gone', { status: 404 }),
    page('/hidden', { html: '<head><meta name=robots content=noindex></head>' }),
    page('/copy', { html: '<head><link rel=canonical href="https://www.example.com/"></head>' }),
  ];
  const moved = 'https://www.example.com/moved';
  const redirects = [{ fromUrl: moved, toUrl: 'https://www.example.com/', status: 301 }];
  const facts = {
    sitemapEntries: sitemapEntries('/gone', '/hidden', '/copy', '/moved', '/never-asked'),
    checks: [fetched(moved, { redirects })],
  };
  expect(outcomeOf(sitemapUrlsIndexable, pages, facts)).toMatchObject({
    status: 'fail',
    evidence: [
      { line: 1, observed: 'status 404' },
      { observed: 'noindex by meta' },
      { observed: 'a canonical of https://www.example.com/' },
      { line: 4, observed: 'a redirect to https://www.example.com/' },
    ],
  });
});

it('stays silent for live pages, and is not measured without responses', () => {
  const facts = { sitemapEntries: sitemapEntries('/') };
  expect(outcomeOf(sitemapUrlsIndexable, [page('/', { html: '<p>x</p>' })], facts).status).toBe('pass');
  expect(outcomeOf(sitemapUrlsIndexable, [], facts).status).toBe('not-measured');
  expect(outcomeOf(sitemapUrlsIndexable, []).status).toBe('not-applicable');
});
