/** What an address means on its page, also where another page of the origin has named it before. */
import { expect, it } from 'vitest';
import { LinkTargets } from './link-targets.js';

const hide = (text: string) => text.replace(/(?<=token=|u:)[^&@]+/, 'hidden');
const targets = (base: string) => new LinkTargets(base, hide);
const hrefs = (base: string, ...addresses: string[]) => {
  const these = targets(base);
  return addresses.map((address) => these.of(address)?.href);
};

it('resolves an address against its own page, and the same one again', () => {
  expect(hrefs('https://links.test/a/', 'x', '/x', 'x', '/x')).toEqual([
    'https://links.test/a/x',
    'https://links.test/x',
    'https://links.test/a/x',
    'https://links.test/x',
  ]);
  expect(hrefs('https://links.test/b/', 'x', '/x')).toEqual([
    'https://links.test/b/x',
    'https://links.test/x',
  ]);
  expect(hrefs('https://other.test/b/', 'x', '/x')).toEqual([
    'https://other.test/b/x',
    'https://other.test/x',
  ]);
  expect(hrefs('http://links.test:81/b/', '/x')).toEqual(['http://links.test:81/x']);
});

it('resolves against a new base from then on', () => {
  const these = targets('https://links.test/a/');
  expect([these.of('x')?.href, these.of('/y')?.href]).toEqual([
    'https://links.test/a/x',
    'https://links.test/y',
  ]);
  these.setBase('https://moved.test/c/');
  expect([these.of('x')?.href, these.of('/y')?.href]).toEqual([
    'https://moved.test/c/x',
    'https://moved.test/y',
  ]);
});

it.each(['https://u:secret@links.test/', 'https://u@links.test/', 'https://:p@links.test/'])(
  'takes the credentials of the base %s along',
  (base) => {
    expect(hrefs('https://links.test/', '/shared')).toEqual(['https://links.test/shared']);
    expect(hrefs(base, '/shared')).toEqual([hide(`${base}shared`)]);
    expect(hrefs('https://links.test/', '/shared')).toEqual(['https://links.test/shared']);
  },
);

it('hides what an address carries, each time', () => {
  for (const _ of [1, 2]) {
    expect(
      hrefs('https://links.test/', '/get?token=abc&x=1', '/get?x=1', 'https://u:pw@links.test/'),
    ).toEqual([
      'https://links.test/get?token=hidden&x=1',
      'https://links.test/get?x=1',
      'https://u:hidden@links.test/',
    ]);
  }
});

it.each(['mailto:a@b.test', 'javascript:x()', 'https-x://a.test/', 'xhttps://a.test/', 'http://'])(
  'finds no page at %s',
  (address) => {
    expect(targets('https://links.test/').of(address)).toBeNull();
  },
);

it.each([
  ['/p#top', 'https://links.test/p', 'top'],
  ['/p#', 'https://links.test/p', null],
  ['/p', 'https://links.test/p', null],
  ['/%7Ep#%41', 'https://links.test/~p', '%41'],
])('parts the fragment from %s', (address, crawlUrl, fragment) => {
  expect(targets('https://links.test/').of(address)).toMatchObject({
    crawlUrl,
    fragment,
    site: 'links.test',
  });
});
