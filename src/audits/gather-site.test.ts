/** Who refers to what on a site, as what, and how much of it is kept. */
import { describe, expect, it } from 'vitest';
import { fetched, ORIGIN, page, site } from '../../test/support/audit-facts.js';
import { canonicalLinks, indexedUrl } from './canonical-links.js';
import type { PageFacts } from './facts/page-facts.js';
import { SiteGathering, TARGETS_MAX } from './gather-site.js';
import { LinkDepths } from './link-depths.js';
import { subresources } from './subresources.js';

const targetsOf = (html: string, headers: readonly (readonly [string, string])[] = []) => {
  const facts = site({
    pages: [page('/a', { html, headers: [['content-type', 'text/html'], ...headers] })],
  });
  return [...facts.targets.values()].map(({ url, roles, internal, referrerCount }) => ({
    url: url.replace(ORIGIN, ''),
    roles,
    internal,
    referrerCount,
  }));
};

it.each([
  ['<a href="/x">x</a>', '/x', 'link'],
  ['<img src="/x">', '/x', 'image'],
  ['<script src="/x"></script>', '/x', 'script'],
  ['<link rel="stylesheet" href="/x">', '/x', 'style'],
  ['<link rel="icon" href="/x">', '/x', 'icon'],
  ['<iframe src="/x"></iframe>', '/x', 'embed'],
  ['<link rel="canonical" href="/x">', '/x', 'canonical'],
  ['<link rel="alternate" hreflang="de" href="/x">', '/x', 'alternate'],
  ['<meta property="og:image" content="https://www.example.com/x">', '/x', 'social-image'],
  ['<meta name="twitter:image" content="HTTPS://www.example.com/x">', '/x', 'social-image'],
])('%s refers to %s as %s', (html, url, role) => {
  expect(targetsOf(html)).toEqual([{ url, roles: [role], internal: true, referrerCount: 1 }]);
});

it.each([
  '<a href="mailto:x@y.test">x</a>',
  '<img src="data:,x">',
  '<link rel="canonical" href="mailto:x">',
  '<link rel="alternate" href="/feed">',
  '<link rel="x" hreflang="de" href="/x">',
  '<link rel="alternate" hreflang="de">',
  '<meta property="og:image" content="/relative.png">',
  '<meta property="og:image" content="https://">',
  '<meta property="og:image" content="view-source:https://www.example.com/x">',
  '<meta property="og:image">',
  '<meta property="og:title" content="https://www.example.com/x">',
])('%s refers to nothing', (html) => {
  expect(targetsOf(html)).toEqual([]);
});

it('knows one URL by one spelling, with all its roles and referrers', () => {
  const html =
    '<a href="/%7Ex">1</a><a href="/~x#top">2</a><img src="/~x"><a href="https://far.example/">3</a>';
  expect(targetsOf(html)).toEqual([
    { url: '/~x', roles: ['link', 'image'], internal: true, referrerCount: 3 },
    { url: 'https://far.example/', roles: ['link'], internal: false, referrerCount: 1 },
  ]);
});

it('reads a canonical of the header', () => {
  expect(targetsOf('<p>x', [['link', '</x>; rel=canonical']])).toMatchObject([
    { url: '/x', roles: ['canonical'] },
  ]);
});

describe('what is kept', () => {
  const gather = (...pages: PageFacts[]) => site({ pages }).targets;

  it('is the first 20 referrers, and the number of all', () => {
    const html = Array.from({ length: 21 }, (_, at) => `<a href="/x">link ${at}</a>`).join('\n');
    const target = gather(page('/a', { html })).get(`${ORIGIN}/x`);
    expect([target?.referrers.length, target?.referrerCount]).toEqual([20, 21]);
    expect(target?.referrers[19]).toEqual({ page: `${ORIGIN}/a`, line: 20, text: 'link 19' });
  });

  it('is the first 20 places of a fragment, and 200 fragments', () => {
    const html =
      '<a href="/x#top">1</a>'.repeat(21) +
      Array.from({ length: 200 }, (_, at) => `<a href="/x#f${at}">x</a>`).join('');
    const fragments = gather(page('/a', { html })).get(`${ORIGIN}/x`)?.fragments;
    expect([
      fragments?.get('top')?.length,
      fragments?.size,
      fragments?.has('f198'),
      fragments?.has('f199'),
    ]).toEqual([20, 200, true, false]);
  });

  it('is no empty fragment', () => {
    expect(gather(page('/a', { html: '<a href="/x#">1</a>' })).get(`${ORIGIN}/x`)?.fragments.size).toBe(0);
  });

  it('is the first 100,000 targets', () => {
    const gathering = new SiteGathering('example.com');
    const references = Array.from({ length: TARGETS_MAX + 1 }, (_, at) => ({
      ...{ sheet: `${ORIGIN}/a.css`, url: `${ORIGIN}/${at}.png`, kind: 'image', line: 1 },
    })) as never;
    gathering.addStyles({ checks: [], references });
    expect(gathering.targets.size).toBe(100_000);
    expect(gathering.targets.get(`${ORIGIN}/0.png`)?.referrers).toEqual([
      { page: `${ORIGIN}/a.css`, line: 1, text: 'url()' },
    ]);
  });
});

it('keeps the response of a page over a later check, and knows which pages ask not to be indexed', () => {
  const pages = [
    page('/a', { html: '<meta name=robots content=noindex>' }),
    page('/b', { html: '<p>x' }),
    page('/c', { fetch: null }),
  ];
  const checks = [fetched(`${ORIGIN}/a`, { status: 500 }), fetched(`${ORIGIN}/z`, { status: 404 })];
  const { responses, noindexed } = site({ pages, checks });
  expect([...responses].map(([url, { status }]) => [url, status])).toEqual([
    [`${ORIGIN}/a`, 200],
    [`${ORIGIN}/b`, 200],
    [`${ORIGIN}/z`, 404],
  ]);
  expect([...noindexed]).toEqual([`${ORIGIN}/a`]);
});

describe('canonical links', () => {
  const links = (html: string, header?: string) => {
    const { url, fetch, document } = page('/a', {
      html,
      headers: [['content-type', 'text/html'], ...(header ? [['link', header] as const] : [])],
    });
    if (!fetch || !document) throw new Error('no document');
    return { links: canonicalLinks({ url, fetch }, document), indexed: indexedUrl({ url, fetch }, document) };
  };

  it('come from elements, then from headers, with their places', () => {
    const html = '<head>\n<link rel="canonical" href="/b#c"></head><body><link rel="canonical next">';
    expect(links(html, '<d>; rel=canonical, </e>; rel=next').links).toEqual([
      { href: '/b#c', url: `${ORIGIN}/b#c`, from: 'element', line: 2, inHead: true },
      { href: '', url: null, from: 'element', line: 2, inHead: false },
      { href: 'd', url: `${ORIGIN}/d`, from: 'header', line: null, inHead: true },
    ]);
    expect(links('<p>x', '<http://[>; rel=canonical').links).toMatchObject([{ url: null }]);
  });

  it.each([
    ['<link rel="canonical" href="/b">', undefined, '/b'],
    ['<link rel="canonical" href="/b#c"><link rel="canonical" href="/b">', '</b>; rel=canonical', '/b'],
    ['<link rel="canonical" href="/b"><link rel="canonical" href="/c">', undefined, '/a'],
    ['<link rel="next" href="/b">', undefined, '/a'],
    ['<p>x', undefined, '/a'],
  ])('%s with the header %s is indexed as %s', (html, header, path) => {
    expect(links(html, header).indexed).toBe(ORIGIN + path);
  });

  it('do not count without a response', () => {
    const { url, document } = page('/a', { html: '<link rel="canonical" href="/b">' });
    if (!document) throw new Error('no document');
    expect(indexedUrl({ url, fetch: null }, document)).toBe(`${ORIGIN}/a`);
  });
});

it.each([
  ['<link rel="stylesheet" href="x">', ['style link x']],
  ['<link rel="alternate stylesheet" href="x">', ['style link x']],
  ['<link rel="icon" href="x"><link rel="apple-touch-icon" href="y">', ['icon link x', 'icon link y']],
  ['<link rel="manifest" href="x">', ['icon link x']],
  ['<link rel="alternate icon" href="x">', []],
  ['<link rel="modulepreload" href="x">', ['script link x']],
  ['<link rel="preload" href="x">', ['preload link x']],
  ['<link rel="preload" as="fetch" href="x">', ['preload link x']],
  ...['script', 'style', 'image', 'font'].map((as): [string, string[]] => [
    `<link rel="preload" as="${as}" href="x">`,
    [`${as} link x`],
  ]),
  ['<link rel="stylesheet"><link rel="next" href="x">', []],
  ['<script src="x"></script><script>1</script>', ['script script x']],
  ['<img src="x"><img>', ['image img x']],
  ['<video src="x" poster="y"></video>', ['embed video x', 'image video y']],
])('a browser loads for %s: %j', (html, loaded) => {
  const { document } = page('/a', { html });
  if (!document) throw new Error('no document');
  expect(subresources(document).map(({ kind, tag, src }) => `${kind} ${tag} ${src}`)).toEqual(loaded);
});

it('counts clicks from the home page, and none for a redirect', () => {
  const depths = new LinkDepths();
  const redirects = [{ status: 301, fromUrl: `${ORIGIN}/r`, toUrl: `${ORIGIN}/s` }] as never;
  depths.addPage(
    page('/', { html: '<a href="/a">a</a><a href="/r">r</a><a href="https://far.example/">x</a>' }),
  );
  depths.addPage(page('/a', { html: '<a href="/b">b</a><a href="/">home</a>' }));
  depths.addPage(page('/r', { fetch: { redirects } }));
  depths.addPage(page('/s', { html: '<a href="/t">t</a>' }));
  depths.addPage(page('/island', { html: '<a href="/b">b</a>' }));
  expect(Object.fromEntries(depths.from(`${ORIGIN}/`))).toEqual({
    [`${ORIGIN}/`]: 0,
    [`${ORIGIN}/a`]: 1,
    [`${ORIGIN}/r`]: 1,
    [`${ORIGIN}/s`]: 1,
    [`${ORIGIN}/b`]: 2,
    [`${ORIGIN}/t`]: 2,
  });
});
