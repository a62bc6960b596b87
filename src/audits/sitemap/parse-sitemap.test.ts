import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../net/gunzip.js';
import { parseSitemap } from './parse-sitemap.js';

const URL_ = 'https://www.example.com/sitemap.xml';
const parse = (text: string) => parseSitemap(text, URL_, async () => {});
const urlset = (inside: string) =>
  `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${inside}\n</urlset>`;

describe('a sitemap', () => {
  it('gives its entries with lines, entities undone and blanks trimmed', async () => {
    const read = await parse(
      urlset(
        '<url><loc> https://www.example.com/?a=1&amp;b=2 </loc><lastmod>2026-01-02T03:04+01:00</lastmod></url>',
      ),
    );
    expect(read).toMatchObject({ kind: 'urlset', entryCount: 1, problems: [] });
    expect(read.entries).toEqual([
      { url: 'https://www.example.com/?a=1&b=2', lastmod: '2026-01-02T03:04+01:00', sitemap: URL_, line: 3 },
    ]);
  });

  it('says by line what is wrong with an entry', async () => {
    const read = await parse(
      urlset(
        '<url><loc>/relative</loc></url>\n<url><loc>ftp://www.example.com/</loc></url>\n<url><loc>https://other.example.net/</loc></url>\n<url><loc>https://www.example.com/ok</loc><lastmod>yesterday</lastmod></url>\n<url><loc></loc></url>',
      ),
    );
    expect(read.problems.map(({ kind, line }) => `${line} ${kind}`)).toEqual([
      '3 relative-url',
      '4 bad-url',
      '5 other-host',
      '6 bad-lastmod',
      '7 missing-loc',
    ]);
    expect(read.entries.map(({ url }) => url)).toEqual(['https://www.example.com/ok']);
  });

  it('reads an index, a text file, and as much of broken XML as holds', async () => {
    const index = await parse(
      '<sitemapindex><sitemap><loc>https://www.example.com/s-1.xml</loc></sitemap></sitemapindex>',
    );
    expect(index).toMatchObject({ kind: 'index', children: ['https://www.example.com/s-1.xml'] });
    const text = await parse('https://www.example.com/a\nhttps://www.example.com/b\n');
    expect(text).toMatchObject({ kind: 'text', entryCount: 2 });
    const broken = await parse(urlset('<url><loc>https://www.example.com/a</loc></url><nope'));
    expect(broken.entries).toHaveLength(1);
    expect(broken.problems).toMatchObject([{ kind: 'xml', line: 4 }]);
    expect(await parse('<html><body>no</body></html>')).toMatchObject({
      problems: [{ kind: 'not-a-sitemap' }],
    });
  });

  it('takes prefixes, capitals, CDATA, a byte order mark and blanks before the root', async () => {
    const read = await parse(
      '\ufeff<s:URLSET xmlns:s="x"><s:url><s:LOC><![CDATA[https://www.example.com/a]]></s:LOC></s:url></s:URLSET>',
    );
    expect(read.entries.map(({ url }) => url)).toEqual(['https://www.example.com/a']);
    expect(await parse('\n <urlset></urlset>')).toMatchObject({
      kind: 'urlset',
      entryCount: 0,
      problems: [],
    });
  });

  it('reads only the parts of an entry, at their own level', async () => {
    const read = await parse(
      urlset(
        '<url><image><loc>https://www.example.com/i</loc></image>\n<loc>https://www.example.com/a#top</loc>\n<lastmod>soon</lastmod></url><loc>https://www.example.com/b</loc><sitemap><loc>https://www.example.com/c</loc></sitemap>',
      ),
    );
    expect(read.entries).toMatchObject([{ url: 'https://www.example.com/a', line: 4, lastmod: 'soon' }]);
    expect(read.problems).toEqual([{ kind: 'bad-lastmod', line: 5, observed: 'soon' }]);
    expect(read.entryCount).toBe(1);
  });

  it.each([
    ['rss', 'feed'],
    ['feed', 'feed'],
    ['sitemapindex', 'index'],
    ['urlset', 'urlset'],
  ])('knows <%s> as %s', async (root, kind) => {
    expect(await parse(`<${root}></${root}>`)).toMatchObject({
      kind,
      problems: [],
      entries: [],
      children: [],
    });
  });

  it.each([
    ['2026', true],
    ['2026-12', true],
    ['2026-13', false],
    ['2026-01-31', true],
    ['2026-01-32', false],
    ['2026-01-02T23:59Z', true],
    ['2026-01-02T24:00Z', false],
    ['2026-01-02T23:59:59.5-11:30', true],
    ['2026-01-02T23:59', false],
    ['x2026', false],
    ['2026-01-02x', false],
  ])('a date %s is right: %s', async (date, right) => {
    const set = await parse(
      urlset(`<url><loc>https://www.example.com/a</loc><lastmod>${date}</lastmod></url>`),
    );
    const index = await parse(
      `<sitemapindex><sitemap><loc>https://www.example.com/a</loc><lastmod>${date}</lastmod></sitemap></sitemapindex>`,
    );
    const expected = right ? [] : ['bad-lastmod'];
    expect([set, index].map(({ problems }) => problems.map(({ kind }) => kind))).toEqual([
      expected,
      expected,
    ]);
  });

  it('shows a hundred problems, cut to 300 characters, and counts all', async () => {
    const long = `/${'x'.repeat(400)}`;
    const read = await parse(urlset(`<url><loc>${long}</loc></url>`.repeat(101)));
    expect(read.problems).toHaveLength(100);
    expect(read.problems[0]?.observed).toBe(long.slice(0, 300));
    expect(read).toMatchObject({ problemCount: 101, entryCount: 101, entries: [] });
  });

  it('takes a URL of 2048 characters, and none longer', async () => {
    const address = (chars: number) => `https://www.example.com/${'x'.repeat(chars - 24)}`;
    const read = await parse(`${address(2048)}\n\n${address(2049)}`);
    expect(read.entries).toEqual([{ url: address(2048), lastmod: null, sitemap: URL_, line: 1 }]);
    expect(read.problems).toMatchObject([{ kind: 'bad-url', line: 3 }]);
  });

  it('takes no other text for a sitemap', async () => {
    expect(await parse('\n  hello https://www.example.com/')).toMatchObject({
      kind: 'unreadable',
      entryCount: 0,
      problems: [{ kind: 'not-a-sitemap', line: 1, observed: 'hello https://www.example.com/' }],
    });
  });

  it('stops at 32 levels', async () => {
    const nested = (levels: number) =>
      parse(`<urlset>${'<a>'.repeat(levels - 1)}${'</a>'.repeat(levels - 1)}</urlset>`);
    expect((await nested(32)).problems).toEqual([]);
    expect((await nested(33)).problems).toMatchObject([
      { kind: 'xml', observed: 'elements are nested more than 32 levels deep' },
    ]);
  });

  it('lets other work go on between the pieces of a long text only', async () => {
    const pauses = async (chars: number) => {
      let count = 0;
      const text = `<urlset>${' '.repeat(chars - 17)}</urlset>`;
      await parseSitemap(text, URL_, async () => {
        count += 1;
      });
      return count;
    };
    expect([await pauses(65_536), await pauses(65_537)]).toEqual([0, 2]);
  });

  it('expands no entity that a document defines', async () => {
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>https://www.example.com/&b;</loc></url></urlset>';
    const read = await parse(bomb);
    expect(read.entries.every(({ url }) => !url.includes('aaaa'))).toBe(true);
    expect(read.problems[0]?.kind).toBe('xml');
  });

  it('counts beyond the bound of 50,000 and keeps what is within', async () => {
    const read = await parse(urlset('<url><loc>https://www.example.com/x</loc></url>'.repeat(50_001)));
    expect(read.entries).toHaveLength(50_000);
    expect(read.problems).toMatchObject([{ kind: 'too-many-urls' }]);
  });

  it.each([
    ['tags that are left open', `<urlset>${'<a:loc>'.repeat(200_000)}`],
    ['entities that do not exist', `<urlset>${'&x;'.repeat(200_000)}`],
    ['tags that do not match', `<urlset>${'<a></b>'.repeat(200_000)}`],
  ])('stops at the first fault of a text of %s', async (_what, text) => {
    const startedAt = process.cpuUsage();
    const read = await parse(text);
    const { user, system } = process.cpuUsage(startedAt);
    expect(read.problems).toMatchObject([{ kind: 'xml' }]);
    // One error for each of them takes seconds.
    expect((user + system) / 1000).toBeLessThan(500);
  });
});

describe('gunzip', () => {
  it('unpacks up to the bound, and responses null for what is no gzip', async () => {
    const packed = new Uint8Array(gzipSync('x'.repeat(1000)));
    expect(await gunzip(packed, 2000)).toMatchObject({ cut: false });
    const cut = await gunzip(packed, 100);
    expect(cut?.cut).toBe(true);
    expect(cut?.bytes.length).toBe(100);
    expect(await gunzip(new Uint8Array([1, 2, 3]), 100)).toBeNull();
  });
});
