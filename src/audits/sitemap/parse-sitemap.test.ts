import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from './gunzip.js';
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
