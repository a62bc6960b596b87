import { expect, it } from 'vitest';
import { parseLinkHeader } from './link-header.js';

it.each([
  ['</a>; rel=next', [{ href: '/a', rel: ['next'], hreflang: null }]],
  [
    '< /a >; REL="Alternate  Canonical" ; hreflang=de, </b>; rel="x"',
    [
      { href: '/a', rel: ['alternate', 'canonical'], hreflang: 'de' },
      { href: '/b', rel: ['x'], hreflang: null },
    ],
  ],
  ['</a,b;c>; title="x, y; z"; rel=up', [{ href: '/a,b;c', rel: ['up'], hreflang: null }]],
  // RFC 8288 §3.3: the first of several counts.
  ['</a>; rel=one; rel=two', [{ href: '/a', rel: ['one'], hreflang: null }]],
  ['</a>; hreflang=""', [{ href: '/a', rel: [], hreflang: null }]],
  ['</a>; rel="', [{ href: '/a', rel: ['"'], hreflang: null }]],
  ['</a>; crossorigin; =x', [{ href: '/a', rel: [], hreflang: null }]],
  ['/a; rel=next', []],
  ['</a; rel=next', []],
  ['', []],
])('parses %s', (value, links) => {
  expect(parseLinkHeader([value])).toEqual(links);
});

it('reads several fields, and at most 100 links', () => {
  expect(parseLinkHeader(['</a>', '</b>']).map(({ href }) => href)).toEqual(['/a', '/b']);
  expect(parseLinkHeader([Array(101).fill('</a>').join(',')])).toHaveLength(100);
});
