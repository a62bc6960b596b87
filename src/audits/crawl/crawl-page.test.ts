import { expect, test } from 'vitest';
import { fetched } from '../../../test/support/audit-facts.js';
import { readDocument } from '../extract/index.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import { crawlPage, type PageCrawler } from './crawl-page.js';

const URL_ = 'https://www.example.com/a';
const ENTRY = { url: URL_, depth: 2, foundBy: 'link', foundOn: 'https://www.example.com/' } as const;
const HTML = new TextEncoder().encode('<!doctype html><title>A page</title>');

/** A crawler for which every URL returns the same facts. */
function crawler(facts: Partial<FetchFacts>, more: Partial<PageCrawler> = {}) {
  const requested: string[] = [];
  const pageCrawler = {
    domain: 'example.com',
    robots: () => ({ allowed: true, line: null, rule: null }),
    mayFollow: async () => true,
    documents: { read: async (source) => readDocument(source, (text) => text) },
    fetcher: {
      async fetch({ url }: { url: string }) {
        requested.push(url);
        return { facts: fetched(url, facts), bytes: HTML };
      },
    },
    ...more,
  } as PageCrawler;
  return { crawl: (always = false) => crawlPage(pageCrawler, ENTRY, always), requested };
}

const redirectTo = (toUrl: string, status = 200) => ({
  status,
  finalUrl: toUrl,
  redirects: [{ fromUrl: URL_, toUrl, status: 301 }],
});

const found = (pages: Awaited<ReturnType<typeof crawlPage>>) =>
  pages.map(({ url, foundBy, fetch, document }) => [
    url,
    foundBy,
    fetch?.status ?? null,
    document?.titles[0] ?? null,
  ]);

test('reads a page that responds', async () => {
  const pages = await crawler({}).crawl();
  expect(found(pages)).toMatchObject([[URL_, 'link', 200, expect.anything()]]);
  expect(pages[0]).toMatchObject({ depth: 2, foundOn: 'https://www.example.com/' });
});

test('a redirect within the site also adds its target, at the same depth', async () => {
  const pages = await crawler(redirectTo('https://www.example.com/b')).crawl();
  expect(found(pages)).toMatchObject([
    [URL_, 'link', 200, null],
    ['https://www.example.com/b', 'redirect', 200, expect.anything()],
  ]);
  expect(pages[1]).toMatchObject({ depth: 2, foundOn: URL_, fetch: { redirects: [] } });
});

test.each(['https://other.example.net/b', 'https://example.com.evil.test/'])(
  'a redirect that ends elsewhere, at %s, adds no page',
  async (toUrl) => {
    expect(found(await crawler(redirectTo(toUrl)).crawl())).toEqual([[URL_, 'link', 200, null]]);
  },
);

test('a redirect that ends where it began is one page', async () => {
  expect(await crawler(redirectTo(`${URL_}#x`)).crawl()).toHaveLength(1);
});

test('a redirect that was not followed leaves its target unread', async () => {
  const pages = await crawler(redirectTo('https://www.example.com/b', 302)).crawl();
  expect(found(pages)).toEqual([
    [URL_, 'link', 302, null],
    ['https://www.example.com/b', 'redirect', null, null],
  ]);
});

test('does not request what robots.txt disallows, except for the start URL', async () => {
  const robots = () => ({ allowed: false, line: 2, rule: 'Disallow: /' });
  const kept = crawler({}, { robots });
  expect([found(await kept.crawl()), kept.requested]).toEqual([[[URL_, 'link', null, null]], []]);
  expect(await kept.crawl(true)).toMatchObject([{ fetch: { status: 200 }, robots: { allowed: false } }]);
});

test('does not read a response that is not HTML', async () => {
  const headers = [['content-type', 'application/pdf']] as const;
  expect(await crawler({ headers }).crawl()).toMatchObject([{ fetch: { status: 200 }, document: null }]);
});
