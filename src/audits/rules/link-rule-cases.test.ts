/** Links and files: which are broken, which nobody could measure, and how much a page may load. */
import { describe, expect, it } from 'vitest';
import { fetched, ORIGIN, outcomeOf, page, type SiteParts } from '../../../test/support/audit-facts.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { PageFacts } from '../facts/page-facts.js';
import { RULES } from './index.js';

const said = (id: string, pages: readonly PageFacts[], parts: SiteParts = {}) => {
  const rule = RULES.find((each) => each.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  const outcome = outcomeOf(rule, pages, parts);
  if ('reason' in outcome) return [outcome.status, outcome.reason];
  if (!('evidence' in outcome)) return [outcome.status];
  return [
    outcome.status,
    ...outcome.evidence.map(({ url, observed }) => `${url.replace(ORIGIN, '')} ${observed}`),
  ];
};
const failed = (url: string, code: string) => fetched(url, { error: { code: code as never, message: code } });
describe('links', () => {
  const linking = (html: string) => page('/', { html });
  const check = (path: string, parts: Partial<FetchFacts> = {}) =>
    fetched(path.startsWith('/') ? ORIGIN + path : path, parts);

  it('are broken where their page is gone, with what happened on the way', () => {
    const redirects = [{ status: 301, fromUrl: `${ORIGIN}/r`, toUrl: `${ORIGIN}/s` }] as never;
    const pages = [
      linking(
        '<a href="/a">a</a>\n<a href="/a">again</a><a href="/r">r</a><a href="/ok">ok</a><a href="/none">n</a>',
      ),
    ];
    const checks = [check('/a', { status: 404 }), check('/r', { status: 410, redirects }), check('/ok')];
    expect(said('link.broken-internal', pages, { checks })).toEqual([
      'fail',
      '/a status 404, linked 2 times',
      `/r status 410 after a redirect to ${ORIGIN}/s`,
    ]);
  });

  it('to a file that the page loads too are left to its rule', () => {
    const pages = [linking('<a href="/a.png">a</a><img src="/a.png">')];
    expect(said('link.broken-internal', pages, { checks: [check('/a.png', { status: 404 })] })).toEqual([
      'pass',
    ]);
    expect(said('asset.broken-image', pages, { checks: [check('/a.png', { status: 404 })] })).toEqual([
      'fail',
      '/a.png status 404, loaded in 2 places',
    ]);
  });

  it.each([404, 410])(
    'to a crawled page are broken if it is gone (%i), and otherwise only their anchors',
    (status) => {
      const target = (parts: object) =>
        said('link.broken-internal', [linking('<a href="/a#x">a</a>'), page('/a', parts)]);
      expect(target({ status })).toEqual(['fail', `/a status ${status}`]);
      expect(target({ status: 500 })).toEqual(['pass']);
      expect(target({ html: '<p id=y>' })).toEqual(['fail', '/a#x the page has no element with the id x']);
      expect(target({ html: '<p id=x>' })).toEqual(['pass']);
    },
  );

  it.each(['top', 'TOP', 'a:~:text=b', '!/route', '/route', 'caf%C3%A9', 'café', 'a+b', 'a%26b'])(
    'to #%s lead somewhere',
    (fragment) => {
      const pages = [
        linking(`<a href="/a#${fragment}">a</a>`),
        page('/a', { html: '<p id="café"><p id="a+b"><p id="a&amp;b">' }),
      ];
      expect(said('link.broken-internal', pages)).toEqual(['pass']);
    },
  );

  it.each(['topic', 'stop', 'x!y', 'a b'])('to #%s lead nowhere', (fragment) => {
    const pages = [linking(`<a href="/a#${fragment}">a</a>`), page('/a', { html: '<p id="y">' })];
    expect(said('link.broken-internal', pages)[0]).toBe('fail');
  });

  it('to other sites are broken by clear statements only', () => {
    const pages = [linking('<a href="https://far.example/a">a</a><a href="https://far.example/b">b</a>')];
    const checks = [
      check('https://far.example/a', { status: 404 }),
      check('https://far.example/b', { status: 403 }),
    ];
    expect(said('link.broken-external', pages, { checks })).toEqual([
      'fail',
      'https://far.example/a status 404',
    ]);
    expect(said('link.broken-external', pages)).toEqual([
      'not-measured',
      'links to other sites were not requested',
    ]);
    expect(
      said('link.broken-external', [linking('<a href="/a">a</a><img src="https://far.example/x.png">')])[0],
    ).toBe('not-applicable');
    const unreached = [
      failed('https://far.example/a', 'timeout'),
      failed('https://far.example/b', 'dns_error'),
    ];
    expect(said('link.broken-external', pages, { checks: unreached })[0]).toBe('not-measured');
    expect(
      said('link.broken-external', pages, { checks: [unreached[0] as FetchFacts, checks[1] as FetchFacts] }),
    ).toEqual(['fail', 'https://far.example/a no response in time']);
  });

  it.each([
    [4, 'pass'],
    [5, 'fail'],
  ])('%i clicks deep: %s', (depth, status) => {
    const pages = [page('/', { html: '<p>', depth: 0 }), page('/a', { html: '<p>', depth })];
    expect(said('link.depth', pages)[0]).toBe(status);
    expect(said('link.depth', [pages[1] as PageFacts, page('/b', { depth: null })])[0]).toBe(
      'not-applicable',
    );
  });
});

describe('files that pages load', () => {
  const FILES: Readonly<Record<string, string>> = {
    'asset.broken-style': '<link rel="stylesheet" href="/x">',
    'asset.broken-script': '<script src="/x"></script>',
    'asset.broken-image': '<img src="/x">',
    'asset.broken-font': '<link rel="preload" as="font" href="/x">',
    'asset.broken-embed': '<iframe src="/x"></iframe>',
  };
  const loaded = (id: string, parts: Partial<FetchFacts>, html = FILES[id] ?? '') =>
    said(id, [page('/', { html })], { checks: [fetched(`${ORIGIN}/x`, parts)] });

  it.each(Object.keys(FILES))('%s fires for a missing file, and is silent for others', (id) => {
    const type = [['content-type', 'application/octet-stream']] as const;
    expect(loaded(id, { headers: type })).toEqual(['pass']);
    expect(loaded(id, { headers: type, status: 404 })).toEqual(['fail', '/x status 404']);
    expect(loaded(id, {}, '<p>')[0]).toBe('not-applicable');
    expect(said(id, [page('/', { html: FILES[id] ?? '' })])[0]).toBe('not-measured');
    const isPage = loaded(id, {});
    if (id === 'asset.broken-embed') expect(isPage).toEqual(['pass']);
    else expect(isPage).toEqual(['fail', '/x an HTML page (text/html) instead of the file']);
  });

  it.each([
    '<link rel="icon" href="/x">',
    '<link rel="preload" href="/x">',
    '<link rel="manifest" href="/x">',
  ])('are embedded files: %s', (html) => {
    expect(loaded('asset.broken-embed', { status: 404 }, html)).toEqual(['fail', '/x status 404']);
  });

  it('on other sites are broken by clear statements only', () => {
    const far = 'https://far.example/x.png';
    const of = (status: number) =>
      said('asset.broken-image', [page('/', { html: `<img src="${far}">` })], {
        checks: [fetched(far, { status, headers: [['content-type', 'image/png']] })],
      });
    expect([of(403), of(404)]).toEqual([['pass'], ['fail', `${far} status 404`]]);
  });

  it('weigh at most 1.5 MB', () => {
    const rule = (bytes: number[]) => {
      const html = bytes.map((_, at) => `<img src="/${at}.png">`).join('');
      const checks = bytes.map((size, at) =>
        fetched(`${ORIGIN}/${at}.png`, { headers: [['content-length', String(size)]], bodyBytes: null }),
      );
      const weight = RULES.find(({ id }) => id === 'perf.page-weight');
      if (!weight) throw new Error('no rule');
      return outcomeOf(weight, page('/', { html }), { checks });
    };
    expect(rule([1_500_000]).status).toBe('pass');
    expect(rule([1_000_000, 500_001])).toMatchObject({
      evidence: [
        { observed: '1500001 bytes in 2 of 2 files', related: [`${ORIGIN}/0.png`, `${ORIGIN}/1.png`] },
      ],
    });
    const many = rule(Array.from({ length: 11 }, (_, at) => 200_000 + at));
    expect(many).toMatchObject({ evidence: [{ related: { length: 10, 0: `${ORIGIN}/10.png` } }] });
  });
});
