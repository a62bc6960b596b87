import { describe, expect, it } from 'vitest';
import { pathsFromOpenapi } from './paths-from-openapi.js';
import { readSitemap } from './paths-from-sitemap.js';
import { pathsFromList, SUITE_PATHS_MAX, suitePaths } from './suite-paths.js';

describe('a list', () => {
  it('has one path a line, with comments, once each', () => {
    const text = '\ufeff/a\r\n\n# no\n/b?x=1 # with a query\nhttps://a.example/c?y=2#z\n/a\n/d#e';
    expect(pathsFromList(text, 'f').paths).toEqual(['/a', '/b?x=1', '/c?y=2', '/d']);
  });

  it.each([['a'], ['//evil.example/'], ['javascript:1'], ['../x']])(
    'refuses %s and names the line',
    (line) => {
      expect(() => pathsFromList(`/fine\n${line}`, 'paths.txt')).toThrow('paths.txt:2');
    },
  );

  it('has bounds: at least one, and not too many', () => {
    expect(() => pathsFromList('# nothing', 'f')).toThrow('no path');
    const many = Array.from({ length: SUITE_PATHS_MAX + 1 }, (_, n) => `/${n}`);
    expect(() => suitePaths(many)).toThrow(`at most ${SUITE_PATHS_MAX}`);
  });
});

describe('a sitemap', () => {
  it('gives its locations, entities and CDATA read, comments left out', () => {
    const xml = `<?xml version="1.0"?><urlset xmlns="x"><url><loc> https://a.example/?a=1&amp;b=2 </loc></url>
      <!-- <loc>https://a.example/hidden</loc> --><url><loc><![CDATA[https://a.example/c]]></loc></url><url><loc>https://a.example/&#x64;&#101;</loc></url></urlset>`;
    expect(readSitemap(xml, 'u')).toEqual({
      locations: ['https://a.example/?a=1&b=2', 'https://a.example/c', 'https://a.example/de'],
      isIndex: false,
    });
  });

  it('knows an index, and refuses a document type and what is none', () => {
    expect(
      readSitemap(
        '<sm:sitemapindex xmlns:sm="x"><sm:loc>https://a.example/s.xml</sm:loc></sm:sitemapindex>',
        'u',
      ),
    ).toEqual({
      locations: ['https://a.example/s.xml'],
      isIndex: true,
    });
    expect(() => readSitemap('<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><urlset/>', 'u')).toThrow(
      'document type',
    );
    expect(() => readSitemap('<html></html>', 'u')).toThrow('no sitemap');
  });
});

describe('an OpenAPI document', () => {
  const document = `
openapi: 3.1.0
servers: [{ url: https://api.example/v2/ }]
paths:
  /users:
    get: { parameters: [{ name: page, in: query, required: true, schema: { default: 1 } }, { name: q, in: query }] }
    post: {}
  /users/{id}:
    parameters: [{ $ref: '#/components/parameters/id' }]
    get: {}
  /orders/{order}:
    get: {}
  /only-post:
    post: {}
components: { parameters: { id: { name: id, in: path, required: true, example: a b } } }
`;
  it('gives its GET operations, filled from examples; names what it cannot ask', () => {
    expect(pathsFromOpenapi(document, 'api.yaml')).toEqual({
      paths: ['/v2/users?page=1', '/v2/users/a%20b'],
      skipped: ['GET /orders/{order}: no example for the required parameter order'],
    });
  });

  it('reads JSON and Swagger 2', () => {
    const text = JSON.stringify({ swagger: '2.0', basePath: '/api', paths: { '/a': { get: {} } } });
    expect(pathsFromOpenapi(text, 'f').paths).toEqual(['/api/a']);
  });

  it.each([['other.yaml#/a'], ['https://evil.example/x.json'], ['file:///etc/passwd']])(
    'refuses the external reference %s',
    (reference) => {
      const text = JSON.stringify({
        openapi: '3.0.0',
        paths: { '/a': { get: { responses: { 200: { $ref: reference } } } } },
      });
      expect(() => pathsFromOpenapi(text, 'f')).toThrow('external references are refused');
    },
  );

  it('survives references in a circle and refuses what is no document', () => {
    const circle = { openapi: '3.0.0', paths: { '/a': { $ref: '#/paths/~1a' } } };
    expect(() => pathsFromOpenapi(JSON.stringify(circle), 'f')).toThrow('no path');
    expect(() => pathsFromOpenapi('- a', 'f')).toThrow('no OpenAPI document');
    expect(() => pathsFromOpenapi('{', 'f')).toThrow('neither JSON nor YAML');
  });
});
