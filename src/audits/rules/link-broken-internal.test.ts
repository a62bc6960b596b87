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
        observed: 'status 404',
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

it('leaves server errors and loops of crawled pages, and files of pages, to their own rules', () => {
  const pages = [
    page('/', { html: '<a href=/b>B</a><a href=/c>C</a><a href=/d.png>D</a><img src=/d.png>' }),
    page('/b', { status: 500 }),
    page('/c', { fetch: { error: { code: 'redirect_loop', message: '' } } }),
  ];
  const checks = [fetched('https://www.example.com/d.png', { status: 404 })];
  expect(outcomeOf(linkBrokenInternal, pages, { checks }).status).toBe('pass');
});

it('does not report an unresponsive host if no other host responded', () => {
  const error = { code: 'dns_error', message: '' };
  const pages = [page('/', { html: '<a href=https://blog.example.com/a>A</a>' })];
  const checks = [fetched('https://blog.example.com/a', { error })];
  expect(outcomeOf(linkBrokenInternal, pages, { checks })).toMatchObject({
    status: 'pass',
    note: expect.stringContaining('could not be measured'),
  });
});

it('stays silent for live pages, anchors in any spelling, and URLs that were not requested', () => {
  const html =
    '<a href="/b#h%C3%A9">B</a><a href="#top">Top</a><a href="/b#:~:text=x">T</a><a href="/unknown">U</a>';
  const pages = [page('/', { html }), page('/b', { html: '<p id="hé">x</p>' })];
  expect(outcomeOf(linkBrokenInternal, pages).status).toBe('pass');
  expect(outcomeOf(linkBrokenInternal, [page('/', { html: '<p>x</p>' })]).status).toBe('not-applicable');
});
