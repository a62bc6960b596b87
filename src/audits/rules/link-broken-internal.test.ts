import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { linkBrokenInternal } from './link-broken-internal.js';

it('fires for a dead page with its referrers, and for a missing anchor', () => {
  const html = '<p>x</p>\n<a href="/gone">Old</a><a href="/b#missing">There</a>';
  const pages = [
    page('/', { html }),
    page('/b', { html: '<p id=here>x</p>' }),
    page('/gone', { status: 404 }),
  ];
  expect(outcomeOf(linkBrokenInternal, pages)).toMatchObject({
    status: 'fail',
    evidence: [
      {
        url: 'https://www.example.com/gone',
        line: 2,
        observed: 'status 404, linked 1 times',
        related: ['https://www.example.com/'],
      },
      { url: 'https://www.example.com/b#missing', element: '"There" on https://www.example.com/' },
    ],
  });
});

it('fires for a checked URL that was not crawled', () => {
  const pages = [page('/', { html: '<a href=/file.pdf>File</a>' })];
  const checks = [fetched('https://www.example.com/file.pdf', { status: 500 })];
  expect(outcomeOf(linkBrokenInternal, pages, { checks }).status).toBe('fail');
});

it('stays silent for live pages, anchors that are there in any spelling, and what was not asked for', () => {
  const html =
    '<a href="/b#h%C3%A9">B</a><a href="#top">Top</a><a href="/b#:~:text=x">T</a><a href="/unknown">U</a>';
  const pages = [page('/', { html }), page('/b', { html: '<p id="hé">x</p>' })];
  expect(outcomeOf(linkBrokenInternal, pages).status).toBe('pass');
  expect(outcomeOf(linkBrokenInternal, [page('/', { html: '<p>x</p>' })]).status).toBe('not-applicable');
});
