import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SUITE_PATHS_MAX } from './path-sources.js';
import { readSitemaps } from './read-sitemaps.js';

const SITE = 'https://shop.example';
const urlset = (...paths: string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${SITE}${path}</loc></url>`).join('')}</urlset>`;
const index = (...files: string[]) =>
  `<sitemapindex>${files.map((file) => `<sitemap><loc>${SITE}${file}</loc></sitemap>`).join('')}</sitemapindex>`;

/** Reads `/sitemap.xml` of a site with these documents. */
function read(documents: Readonly<Record<string, string | Uint8Array>>, prefix = '') {
  return readSitemaps({
    url: `${SITE}/sitemap.xml`,
    prefix,
    fetchBytes: async (url) => {
      const document = documents[url.slice(SITE.length)] ?? '';
      return typeof document === 'string' ? new TextEncoder().encode(document) : document;
    },
  });
}

test('each path once, of all sitemaps of an index and of the indexes in it', async () => {
  const documents = {
    '/sitemap.xml': index('/a.xml', '/more.xml'),
    '/more.xml': index('/b.xml.gz'),
    '/a.xml': urlset('/', '/a', '/both'),
    '/b.xml.gz': gzipSync(urlset('/both', '/b')),
  };
  expect(await read(documents)).toEqual(['/', '/a', '/both', '/b']);
});

test('only paths below the prefix, without it', async () => {
  const documents = { '/sitemap.xml': urlset('/app/', '/app/a', '/apples', '/other', '/app') };
  expect(await read(documents, '/app')).toEqual(['/', '/a']);
});

test('50 sitemaps are read, and one more is too many', async () => {
  const files = Array.from({ length: 50 }, (_, at) => `/${at}.xml`);
  const documents = Object.fromEntries(files.map((file) => [file, urlset(file)]));
  const allowed = files.slice(1);
  expect(await read({ ...documents, '/sitemap.xml': index(...allowed) })).toHaveLength(49);
  await expect(read({ ...documents, '/sitemap.xml': index(...files) })).rejects.toThrow(
    `sitemap: ${SITE}/sitemap.xml leads to more than 50 sitemaps`,
  );
});

test('as many paths as a suite can have, and no more', async () => {
  const paths = Array.from({ length: SUITE_PATHS_MAX + 1 }, (_, at) => `/${at}`);
  const documents = {
    '/a.xml': urlset(...paths.slice(0, 1_000)),
    '/b.xml': urlset(...paths.slice(1_000, -1)),
  };
  const most = { ...documents, '/sitemap.xml': index('/a.xml', '/b.xml') };
  expect(await read(most)).toHaveLength(SUITE_PATHS_MAX);
  const more = { ...most, '/b.xml': urlset(...paths.slice(1_000)) };
  await expect(read(more)).rejects.toThrow(`sitemap: ${SITE}/sitemap.xml has more than 2000 pages`);
});

test.each([
  ['is no sitemap', '<html>', `${SITE}/a.xml: sitemap: it has neither urlset nor sitemapindex`],
  ['is broken gzip', gzipSync(urlset('/')).subarray(0, 20), `${SITE}/a.xml is not valid gzip`],
])('names the document that %s', async (_, document, message) => {
  await expect(read({ '/sitemap.xml': index('/a.xml'), '/a.xml': document })).rejects.toThrow(message);
});
