import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../net/gunzip.js';
import { parseSitemap } from './parse-sitemap.js';

const URL_ = 'https://www.example.com/sitemap.xml';
const parse = (text: string) => parseSitemap(text, URL_, async () => {});
const urlset = (inside: string) =>
  `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${inside}\n</urlset>`;

describe('a sitemap', () => {
  it('has entries with line numbers, decoded entities and trimmed blanks', async () => {
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

  it('reports the problems of each entry with its line', async () => {
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

  it('can be an index, a text file, or XML that is read up to its first error', async () => {
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

  it('may have prefixes, capitals, CDATA, a byte order mark and blanks before the root', async () => {
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

  it('has only the parts of an entry that are at the right level', async () => {
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
  ])('reads <%s> as the kind %s', async (root, kind) => {
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
  ])('the date %s is valid: %s', async (date, right) => {
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

  it('lists 100 problems, cut to 300 characters, and counts all', async () => {
    const long = `/${'x'.repeat(400)}`;
    const read = await parse(urlset(`<url><loc>${long}</loc></url>`.repeat(101)));
    expect(read.problems).toHaveLength(100);
    expect(read.problems[0]?.observed).toBe(long.slice(0, 300));
    expect(read).toMatchObject({ problemCount: 101, entryCount: 101, entries: [] });
  });

  it('accepts a URL of 2,048 characters and none longer', async () => {
    const address = (chars: number) => `https://www.example.com/${'x'.repeat(chars - 24)}`;
    const read = await parse(`${address(2048)}\n\n${address(2049)}`);
    expect(read.entries).toEqual([{ url: address(2048), lastmod: null, sitemap: URL_, line: 1 }]);
    expect(read.problems).toMatchObject([{ kind: 'bad-url', line: 3 }]);
  });

  it('does not accept other text as a sitemap', async () => {
    expect(await parse('\n  hello https://www.example.com/')).toMatchObject({
      kind: 'unreadable',
      entryCount: 0,
      problems: [{ kind: 'not-a-sitemap', line: 1, observed: 'hello https://www.example.com/' }],
    });
  });

  it('stops at a depth of 32 levels', async () => {
    const nested = (levels: number) =>
      parse(`<urlset>${'<a>'.repeat(levels - 1)}${'</a>'.repeat(levels - 1)}</urlset>`);
    expect((await nested(32)).problems).toEqual([]);
    expect((await nested(33)).problems).toMatchObject([
      { kind: 'xml', observed: 'elements are nested more than 32 levels deep' },
    ]);
  });

  it('yields between pieces, but only for a long text', async () => {
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

  it('keeps 50,000 URLs, and reports that there are more', async () => {
    const read = await parse(urlset('<url><loc>https://www.example.com/x</loc></url>'.repeat(50_001)));
    expect(read.entries).toHaveLength(50_000);
    expect(read.problems).toMatchObject([{ kind: 'too-many-urls' }]);
  });

  it.each([
    ['tags that are left open', `<urlset>${'<a:loc>'.repeat(200_000)}`],
    ['entities that do not exist', `<urlset>${'&x;'.repeat(200_000)}`],
    ['tags that do not match', `<urlset>${'<a></b>'.repeat(200_000)}`],
  ])('stops at the first error in a text of %s', async (_what, text) => {
    const startedAt = process.cpuUsage();
    const read = await parse(text);
    const { user, system } = process.cpuUsage(startedAt);
    expect(read.problems).toMatchObject([{ kind: 'xml' }]);
    // One error for each of them would take seconds.
    expect((user + system) / 1000).toBeLessThan(500);
  });
});

describe('gunzip', () => {
  it('unpacks up to the limit, and returns null for data that is not gzip', async () => {
    const packed = new Uint8Array(gzipSync('x'.repeat(1000)));
    expect(await gunzip(packed, 2000)).toMatchObject({ cut: false });
    const cut = await gunzip(packed, 100);
    expect(cut?.cut).toBe(true);
    expect(cut?.bytes.length).toBe(100);
    expect(await gunzip(new Uint8Array([1, 2, 3]), 100)).toBeNull();
  });
});
