/** Which texts become paths of a suite, in which form, and which are refused. */
import { describe, expect, test } from 'vitest';
import { pathsFromOpenApi } from './openapi-paths.js';
import { bounded, pathOf, pathsFromList, pathsFromRecording, pathsFromSitemap } from './path-sources.js';

test.each([
  ['/', '/'],
  ['/a/../b', '/b'],
  ['/a b?c d', '/a%20b?c%20d'],
  ['/a#b', '/a'],
  ['//evil.example/a', undefined],
  ['https://a.example', '/'],
  ['HTTP://a.example/x?y#z', '/x?y'],
  ['ftp://a.example/', undefined],
  ['xhttps://a.example/', undefined],
  ['https://', undefined],
  ['a/b', undefined],
  [`/${'x'.repeat(1_999)}`, `/${'x'.repeat(1_999)}`],
  [`/${'x'.repeat(2_000)}`, undefined],
])('the path of %s', (text, path) => {
  expect(pathOf(text)).toBe(path);
});

test('a list may have 2,000 different paths', () => {
  const paths = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`);
  expect(bounded([...paths(2_000), '/0'])).toHaveLength(2_000);
  expect(() => bounded(paths(2_001))).toThrow('a suite can have at most 2000 paths, got 2001');
});

test('a list ends lines with LF or CRLF, and names a bad line by its number', () => {
  expect(pathsFromList('/a\r\n # note\n\n /b \n').paths).toEqual(['/a', '/b']);
  expect(() => pathsFromList('/a\n\nnope')).toThrow('paths: line 3 is neither a path nor an http(s) URL');
});

describe('a sitemap', () => {
  const urlset = (...locations: string[]) =>
    `<urlset>${locations.map((one) => `<loc>${one}</loc>`).join('')}</urlset>`;

  test.each([
    ['/a?b=1&amp;c=2', '/a?b=1&c=2'],
    ['/&lt;&gt;&quot;&apos;', "/%3C%3E%22'"],
    ['/&#65;&#x42;&#X43;', '/ABC'],
    ['/&#1114111;', `/${encodeURIComponent('\u{10ffff}')}`],
    ['/&#1114112;', '/&'],
    ['/&nope;', '/&nope;'],
  ])('undoes the entities of %s', (location, path) => {
    expect(pathsFromSitemap(urlset(`https://a.example${location}`)).paths).toEqual([path]);
  });

  test('may have prefixes, and lists what is no URL', () => {
    const xml =
      '<s:urlset xmlns:s="x"><s:loc> https://a.example/x </s:loc><s:loc>mailto:a</s:loc></s:urlset>';
    expect(pathsFromSitemap(xml)).toEqual({
      paths: ['/x'],
      skipped: [{ path: 'mailto:a', why: 'is not an http(s) URL' }],
      sitemaps: [],
    });
    const long = pathsFromSitemap(urlset('x'.repeat(2_001))).skipped[0]?.path;
    expect(long).toHaveLength(2_000);
  });

  test('that is an index names sitemaps and no paths', () => {
    expect(pathsFromSitemap('<sitemapindex><loc>https://a.example/1.xml</loc></sitemapindex>')).toEqual({
      paths: [],
      skipped: [],
      sitemaps: ['https://a.example/1.xml'],
    });
  });

  test.each(['<!doctype x><urlset></urlset>', '<!ENTITY a "b"><urlset></urlset>'])(
    'with a definition is refused: %s',
    (xml) => {
      expect(() => pathsFromSitemap(xml)).toThrow('it has a document type definition');
    },
  );

  test.each(['<urlsets></urlsets>', '<html></html>', ''])('is not %j', (xml) => {
    expect(() => pathsFromSitemap(xml)).toThrow('it has neither urlset nor sitemapindex');
  });
});

test('a recording gives the GET requests to the host of its first one', () => {
  const entries = [
    { method: 'POST', url: 'https://other.example/' },
    { method: 'get', url: 'https://a.example/x?y' },
    { method: 'GET', url: 'nonsense' },
    { method: 'GET', url: 'https://b.example/z' },
    { method: 'GET', url: 'https://a.example/x?y' },
    { method: 'GET', url: 'https://a.example/w' },
  ];
  expect(pathsFromRecording(entries).paths).toEqual(['/x?y', '/w']);
  expect(pathsFromRecording([]).paths).toEqual([]);
});

describe('an OpenAPI document', () => {
  const read = (paths: object, more: object = {}) => pathsFromOpenApi({ openapi: '3.1.0', paths, ...more });
  const parameter = (facts: object) => ({ name: 'id', in: 'path', ...facts });
  const get = (...parameters: object[]) => ({ '/x/{id}': { get: { parameters } } });

  test.each([
    [{ example: 7 }, '/x/7'],
    [{ example: false }, '/x/false'],
    [{ example: 'a/b c' }, '/x/a%2Fb%20c'],
    [{ examples: { one: { value: 'v' }, two: { value: 'w' } } }, '/x/v'],
    [{ schema: { example: 'e', default: 'd' } }, '/x/e'],
    [{ schema: { examples: ['es'], default: 'd' } }, '/x/es'],
    [{ schema: { default: 'd', enum: ['n'] } }, '/x/d'],
    [{ schema: { enum: ['n', 'm'] } }, '/x/n'],
    [{ example: { a: 1 }, schema: { default: 'd' } }, '/x/d'],
    [{ example: 'first', examples: { one: { value: 'v' } } }, '/x/first'],
  ])('fills a parameter from %j', (facts, path) => {
    expect(read(get(parameter(facts)))).toEqual({ paths: [path], skipped: [] });
  });

  test('lists what has no example, and what is no path', () => {
    expect(read(get())).toEqual({ paths: [], skipped: [{ path: '/x/{id}', why: 'has no example for id' }] });
    expect(read({ '/{a}/{b}': { get: {} } }).skipped[0]?.why).toBe('has no example for a, b');
    expect(read(get(parameter({ in: 'query', example: 1 }))).skipped[0]?.why).toBe('has no example for id');
    expect(read({ 'no-slash': { get: {} } }).skipped).toEqual([{ path: 'no-slash', why: 'is not a path' }]);
  });

  test('adds the query that is required', () => {
    const query = (name: string, facts: object) => ({ name, in: 'query', ...facts });
    const paths = (...parameters: object[]) => read({ '/x': { get: { parameters } } });
    expect(
      paths(query('a b', { required: true, example: '1&2' }), query('c', { required: true, example: 3 }))
        .paths,
    ).toEqual(['/x?a%20b=1%262&c=3']);
    expect(paths(query('a', { example: 1 })).paths).toEqual(['/x']);
    expect(paths(query('a', { required: true }), query('b', { required: true })).skipped).toEqual([
      { path: '/x', why: 'has no example for a, b' },
    ]);
    expect(paths({ name: 'a', in: 'header', required: true }).paths).toEqual(['/x']);
  });

  test('takes parameters of the path, and those of the operation over them', () => {
    const item = {
      parameters: [parameter({ example: 'item' })],
      get: { parameters: [parameter({ example: 'own' })] },
    };
    expect(read({ '/x/{id}': item }).paths).toEqual(['/x/own']);
    expect(read({ '/x/{id}': { ...item, get: {} } }).paths).toEqual(['/x/item']);
    expect(read({ '/x': { post: {} }, '/y': null, '/z': { get: {} } }).paths).toEqual(['/z']);
  });

  test.each([
    [[{ url: 'https://api.example/v1/' }], '/v1/x'],
    [[{ url: '/v2' }], '/v2/x'],
    [[{ url: 'http://[' }], '/x'],
    [[], '/x'],
    [undefined, '/x'],
    [[null], '/x'],
  ])('takes the path of the server %j', (servers, path) => {
    expect(read({ '/x': { get: {} } }, { servers }).paths).toEqual([path]);
  });

  test('follows references inside it, with their escapes', () => {
    const components = { parameters: { 'a/b~c d': parameter({ example: 'r' }) } };
    const ref = (text: string) => ({ '/x/{id}': { get: { parameters: [{ $ref: text }] } } });
    expect(read(ref('#/components/parameters/a~1b~0c%20d'), { components }).paths).toEqual(['/x/r']);
    expect(() => read(ref('#/components/none'), { components })).toThrow('which does not exist');
    expect(() => read(ref('#/components/toString'), { components })).toThrow('which does not exist');
    expect(() => read(ref('https://evil.example/'))).toThrow('which is outside the document');
  });

  test('follows 20 references in a row', () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, at) => [
          `p${at}`,
          at === length - 1 ? parameter({ example: 'end' }) : { $ref: `#/c/p${at + 1}` },
        ]),
      );
    const start = { '/x/{id}': { get: { parameters: [{ $ref: '#/c/p0' }] } } };
    expect(read(start, { c: chain(20) }).paths).toEqual(['/x/end']);
    expect(() => read(start, { c: chain(21) })).toThrow('references nest deeper than 20');
  });

  test.each([{}, { openapi: '2.0' }, { openapi: '13.0', paths: {} }, { swagger: '3.0' }, null, []])(
    'is not %j',
    (document) => {
      expect(() => pathsFromOpenApi(document)).toThrow('it is not an OpenAPI 3 document');
    },
  );

  test('has paths', () => {
    expect(() => pathsFromOpenApi({ openapi: '3.0.0' })).toThrow('it has no paths');
    expect(() => pathsFromOpenApi({ openapi: '3.0.0', paths: [] })).toThrow('it has no paths');
  });
});
