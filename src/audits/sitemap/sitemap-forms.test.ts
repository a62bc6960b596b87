/** A sitemap entry by entry: which addresses and dates count, and where reading ends. */
import { describe, expect, it } from 'vitest';
import { parseSitemap } from './parse-sitemap.js';

const URL_ = 'https://www.example.com/sitemap.xml';
const parse = (text: string) => parseSitemap(text, URL_, async () => undefined);
const entry = (inside: string) => parse(`<urlset><url>${inside}</url></urlset>`);
const loc = (text: string) => entry(`<loc>${text}</loc>`);
const said = ({ problems }: { problems: readonly { kind: string; observed: string }[] }) =>
  problems.map(({ kind, observed }) => `${kind}: ${observed}`);

it.each([
  ['https://www.example.com/a#b', 'https://www.example.com/a'],
  ['HTTPS://WWW.example.com/a', 'https://www.example.com/a'],
  ['https://www.example.com:443/', 'https://www.example.com/'],
  ['http://www.example.com/', 'http://www.example.com/'],
])('lists %s as %s', async (text, url) => {
  const read = await loc(text);
  expect([read.entries.map((each) => each.url), read.problems]).toEqual([[url], []]);
});

it.each([
  ['', 'missing-loc: an empty <loc>'],
  ['/a', 'relative-url: /a'],
  ['a/b:c', 'relative-url: a/b:c'],
  ['1http://x', 'relative-url: 1http://x'],
  ['ftp://www.example.com/', 'bad-url: ftp://www.example.com/'],
  ['xhttps://www.example.com/', 'bad-url: xhttps://www.example.com/'],
  ['https://', 'bad-url: https://'],
  ['https://example.com/', 'other-host: https://example.com/'],
  ['https://www.example.com:8443/', 'other-host: https://www.example.com:8443/'],
])('refuses %j', async (text, problem) => {
  const read = await loc(text);
  expect([read.entries, said(read), read.entryCount]).toEqual([[], [problem], 1]);
});

it('takes an address of 2,048 characters, and shows 300 of a longer one', async () => {
  const address = (chars: number) =>
    `https://www.example.com/${'x'.repeat(chars - 'https://www.example.com/'.length)}`;
  expect((await loc(address(2_048))).entries).toHaveLength(1);
  const { entries, problems } = await loc(address(2_049));
  expect([entries.length, problems[0]?.kind, problems[0]?.observed.length]).toEqual([0, 'bad-url', 300]);
});

it.each([
  ['2026', true],
  ['2026-12', true],
  ['2026-13', false],
  ['2026-00', false],
  ['2026-01-31', true],
  ['2026-01-32', false],
  ['2026-01-00', false],
  ['2026-01-31T23:59Z', true],
  ['2026-01-31T24:00Z', false],
  ['2026-01-31T23:60Z', false],
  ['2026-01-31T23:59:59.123+23:59', true],
  ['2026-01-31T23:59:60Z', false],
  ['2026-01-31T23:59', false],
  ['2026-01-31 23:59Z', false],
  ['26-01-31', false],
  ['x2026-01-31', false],
  ['2026-01-31x', false],
])('the date %s is one: %s', async (date, valid) => {
  const read = await entry(`<loc>https://www.example.com/</loc>\n<lastmod> ${date} </lastmod>`);
  expect(said(read)).toEqual(valid ? [] : [`bad-lastmod: ${date}`]);
  expect(read.entries[0]?.lastmod).toBe(date);
  const index = await parse(
    `<sitemapindex><sitemap><loc>https://www.example.com/1.xml</loc><lastmod>${date}</lastmod></sitemap></sitemapindex>`,
  );
  expect([index.children.length, said(index)]).toEqual([1, valid ? [] : [`bad-lastmod: ${date}`]]);
});

it('has no date where none is given, and keeps 40 characters of one', async () => {
  expect((await loc('https://www.example.com/')).entries[0]?.lastmod).toBeNull();
  const long = await entry(`<loc>https://www.example.com/</loc><lastmod>${'x'.repeat(200)}</lastmod>`);
  expect([long.entries[0]?.lastmod, said(long)[0]?.length]).toEqual([
    'x'.repeat(40),
    'bad-lastmod: '.length + 200,
  ]);
});

describe('the lines', () => {
  it('are those of the address and of the date', async () => {
    const read = await parse(
      '<urlset>\n<url>\n<loc>https://www.example.com/</loc>\n<lastmod>x</lastmod>\n</url>\n<url>\n</url></urlset>',
    );
    expect(read.entries[0]?.line).toBe(3);
    expect(read.problems.map(({ kind, line }) => `${line} ${kind}`)).toEqual([
      '4 bad-lastmod',
      '6 missing-loc',
    ]);
  });

  it('of a text file are counted by LF, CR and CRLF', async () => {
    const read = await parse('\ufeff\nhttps://www.example.com/a\r\n \rhttps://www.example.com/b\nx');
    expect(read.kind).toBe('text');
    expect(read.entries.map(({ url, line }) => `${line} ${url}`)).toEqual([
      '2 https://www.example.com/a',
      '4 https://www.example.com/b',
    ]);
    expect(read.problems).toEqual([{ kind: 'relative-url', line: 5, observed: 'x' }]);
  });
});

it.each([
  ['<urlset></urlset>', 'urlset'],
  ['<URLSET></URLSET>', 'urlset'],
  ['<a:sitemapindex xmlns:a="x"></a:sitemapindex>', 'index'],
  ['<rss></rss>', 'feed'],
  ['<feed></feed>', 'feed'],
  ['<html></html>', 'unreadable'],
  ['https://www.example.com/', 'text'],
  ['HTTP://www.example.com/', 'text'],
  ['see https://www.example.com/', 'unreadable'],
  ['', 'unreadable'],
])('%j is of the kind %s', async (text, kind) => {
  expect((await parse(text)).kind).toBe(kind);
});

it('counts only entries of its own level and kind', async () => {
  const one = '<loc>https://www.example.com/a</loc>';
  const count = async (text: string) => (await parse(text)).entryCount;
  expect(
    await count(`<urlset><url>${one}<image><loc>https://www.example.com/b.png</loc></image></url></urlset>`),
  ).toBe(1);
  expect(await count(`<urlset><sitemap>${one}</sitemap></urlset>`)).toBe(0);
  expect(await count(`<sitemapindex><url>${one}</url></sitemapindex>`)).toBe(0);
  expect(await count(`<rss><url>${one}</url></rss>`)).toBe(0);
  expect(await count(`<urlset>${one}</urlset>`)).toBe(0);
});

it('names the first hundred problems and counts all', async () => {
  const read = await parse(`<urlset>${'<url><loc>/x</loc></url>'.repeat(101)}</urlset>`);
  expect([read.problems.length, read.problemCount, read.entryCount]).toEqual([100, 101, 101]);
});

it('takes 50,000 URLs, and says once that there are more', async () => {
  const one = '<url><loc>https://www.example.com/</loc></url>';
  const full = await parse(`<urlset>${one.repeat(50_000)}</urlset>`);
  expect([full.entries.length, full.problems]).toEqual([50_000, []]);
  const over = await parse(`<urlset>${one.repeat(50_002)}</urlset>`);
  expect([over.entries.length, said(over), over.entryCount]).toEqual([
    50_000,
    ['too-many-urls: more than 50000 URLs'],
    50_002,
  ]);
});

it('pauses between pieces of a long file, and not in a short one', async () => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  await parseSitemap(`<urlset>${' '.repeat(65_536 - 17)}</urlset>`, URL_, pause);
  expect(pauses).toBe(0);
  await parseSitemap(`<urlset>${' '.repeat(65_536)}</urlset>`, URL_, pause);
  expect(pauses).toBe(2);
});
