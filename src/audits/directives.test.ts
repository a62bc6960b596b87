/** What search engines are asked, in which spelling, for which agent. */
import { expect, it } from 'vitest';
import { page } from '../../test/support/audit-facts.js';
import { directivesOf, isIndexable, noindexOf } from './directives.js';

const HTML = ['content-type', 'text/html'] as const;
const of = (header: string | null, html = '<p>x') => {
  const { fetch, document } = page('/', {
    html,
    headers: header === null ? [HTML] : [HTML, ['x-robots-tag', header]],
  });
  if (!fetch) throw new Error('no response');
  return directivesOf(fetch, document);
};
const said = (header: string | null, html?: string) =>
  of(header, html).map(({ agent, name }) => `${agent} ${name}`);

it.each([
  ['noindex', ['robots noindex']],
  [' NoIndex , NOFOLLOW,', ['robots noindex', 'robots nofollow']],
  ['googlebot: noindex, nofollow', ['googlebot noindex', 'googlebot nofollow']],
  ['  OtherBot : none', ['otherbot none']],
  ['max-snippet: 0', ['robots max-snippet:0']],
  ['max-image-preview: large', ['robots max-image-preview:large']],
  ['max-video-preview:-1', ['robots max-video-preview:-1']],
  ['unavailable_after: 25 Jun 2030 15:00:00 PST', ['robots unavailable_after: 25 jun 2030 15:00:00 pst']],
  ['Unavailable_After : Fri, 25 Jun 2030', ['robots unavailable_after : fri, 25 jun 2030']],
  ['my-max-snippet: 1', ['my-max-snippet 1']],
  ['max-snippets: 1', ['max-snippets 1']],
  ['1x: noindex', ['robots 1x:noindex']],
  ['', []],
])('reads the header %j', (header, directives) => {
  expect(said(header)).toEqual(directives);
});

it.each([
  ['<meta name="robots" content="noindex">', ['robots noindex']],
  ['<meta name="Googlebot" content="nosnippet">', ['googlebot nosnippet']],
  ['<meta name="bingbot" content="none">', ['bingbot none']],
  ['<meta name="otherbot" content="noindex">', []],
  ['<meta property="robots" content="noindex">', []],
  ['<meta name="robots">', []],
  [
    '<meta name="robots" content=" unavailable_after: Fri, 25 Jun">',
    ['robots unavailable_after: fri, 25 jun'],
  ],
])('reads the markup %s', (html, directives) => {
  expect(said(null, html)).toEqual(directives);
});

it('says where a directive stands, headers first', () => {
  const meta = '<p>\n<meta name="robots" content=" NoIndex ">';
  expect(of('None', meta)).toEqual([
    { name: 'none', agent: 'robots', from: 'header', line: null, text: 'None' },
    { name: 'noindex', agent: 'robots', from: 'meta', line: 2, text: ' NoIndex ' },
  ]);
});

it.each([
  ['noindex', 'noindex'],
  ['nofollow, none', 'none'],
  ['bingbot: noindex', 'noindex'],
  ['otherbot: noindex', undefined],
  ['nofollow', undefined],
])('a page with %s is kept out of the index by %s', (header, name) => {
  expect(noindexOf(of(header))?.name).toBe(name);
});

it.each([
  [page('/', { html: '<p>x' }), true],
  [page('/', { html: '<meta name=robots content=noindex>' }), false],
  [page('/', { html: '<p>x', status: 404 }), false],
  [page('/', { fetch: null }), false],
  [
    page('/', {
      html: '<p>x',
      fetch: {
        redirects: [{ status: 301, fromUrl: 'https://www.example.com/', toUrl: 'https://www.example.com/b' }],
      } as never,
    }),
    false,
  ],
])('case %#: a page may be indexed', (facts, indexable) => {
  expect(isIndexable(facts)).toBe(indexable);
});
