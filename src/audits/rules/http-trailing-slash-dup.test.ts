import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpTrailingSlashDup } from './http-trailing-slash-dup.js';

const pages = [page('/a', { fetch: { bodySha256: 'aa' } })];
const probes = (sha: string, redirected = false) => {
  const url = 'https://www.example.com/a/';
  const toUrl = 'https://www.example.com/a';
  const redirects = redirected ? [{ fromUrl: url, toUrl, status: 301 }] : [];
  return { slashVariants: [{ pageUrl: toUrl, variant: fetched(url, { bodySha256: sha, redirects }) }] };
};

it('fires if both URLs return the same page', () => {
  expect(outcomeOf(httpTrailingSlashDup, pages, { probes: probes('aa') })).toMatchObject({
    status: 'fail',
    evidence: [{ url: 'https://www.example.com/a/', related: ['https://www.example.com/a'] }],
  });
});

it('stays silent for a different page or a redirect', () => {
  expect(outcomeOf(httpTrailingSlashDup, pages, { probes: probes('bb') }).status).toBe('pass');
  expect(outcomeOf(httpTrailingSlashDup, pages, { probes: probes('aa', true) }).status).toBe('pass');
  expect(outcomeOf(httpTrailingSlashDup, pages).status).toBe('not-applicable');
});

it('does not apply to a site that returns a page for every path', () => {
  const notFound = fetched('https://www.example.com/missing');
  expect(outcomeOf(httpTrailingSlashDup, pages, { probes: { ...probes('aa'), notFound } }).status).toBe(
    'not-applicable',
  );
});
