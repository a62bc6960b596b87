import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalUrl } from './canonical-url.js';

test.each([
  ['HTTP://Example.COM:80/a/', 'http://example.com/a'],
  ['https://example.com:443', 'https://example.com/'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ['https://example.com/a/?id=1#top', 'https://example.com/a?id=1'],
  ['https://example.com/?b=2&a=1', 'https://example.com/?b=2&a=1'],
  ['https://[2001:DB8::1]:443/x', 'https://[2001:db8::1]/x'],
  ['https://example.com/%7eann/%c3%a9?q=%7e', 'https://example.com/~ann/%C3%A9?q=%7e'],
  ['https://EXAMPLE.com/Case/Kept', 'https://example.com/Case/Kept'],
])('%s becomes %s', (url, expected) => {
  expect(canonicalUrl(url)).toBe(expected);
});

test('a different query is a different URL', () => {
  expect(canonicalUrl('https://a.com/?id=1')).not.toBe(canonicalUrl('https://a.com/?id=2'));
});

test('is idempotent', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const once = canonicalUrl(url);
      expect(canonicalUrl(once)).toBe(once);
    }),
  );
});

test('rejects a URL that is not http or https', () => {
  expect(() => canonicalUrl('ftp://a.com')).toThrow(expect.objectContaining({ code: 'invalid_url' }));
});
