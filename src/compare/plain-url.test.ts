import { expect, test } from 'vitest';
import { createRandom } from '../../test/support/random.js';
import { tryUrl } from '../try-url.js';
import { urlParts } from './plain-url.js';

const URLS = [
  'https://www.example/',
  'https://www.example',
  'http://a.b.example:8080/x/y',
  'https://www.example:443/x',
  'http://www.example:80/x',
  'https://www.example:80/x',
  'http://www.example:99999/x',
  'http://www.example:65535/x',
  'HTTPS://WWW.Example/X',
  'https://www.example/a/../b',
  'https://www.example/./b',
  'https://www.example/.well-known/x',
  'https://www.example/%7Ea/ä',
  'https://www.example/a b',
  'https://www.example/a\\b',
  'https://www.example/x?q=/../a#/b',
  'https://www.example/x\n',
  ' https://www.example/x',
  'http://127.0.0.1/x',
  'http://127.1/x',
  'http://0x7f.1/x',
  'http://a.1/x',
  'http://[::1]:80/x',
  'https://user@www.example/x',
  'https://xn--zckzah.example/x',
  'https://xn--a.example/x',
  'https://a..example/x',
  'https://www.example./x',
  'https://-a.example/x',
  'https://a-.example/x',
  'https://a_b.example/x',
  'ftp://www.example/x',
  'data:text/plain,x',
  'https:/www.example/x',
  'https://',
  '/page',
  '',
];

const byParser = (text: string) => {
  const url = tryUrl(text);
  return url && { origin: url.origin, pathname: url.pathname };
};

const read = (text: string) => {
  const parts = urlParts(text);
  return parts && { origin: parts.origin, pathname: parts.pathname };
};

test.each(URLS)('reads %j like the URL parser', (text) => {
  expect(read(text)).toEqual(byParser(text));
});

test('reads 20,000 URLs made of pieces that parsers disagree on like the URL parser', () => {
  const random = createRandom(20261116);
  const pieces = ['a', 'b1', '-', '--', '.', '..', '/', '1', '0x1', 'xn', ':', '80', '443', '8080', '?', '#'];
  pieces.push('%2e', 'A', '_', '~', '@', '\\', ' ', '\t', 'é', '[', 'example', '//');
  for (let round = 0; round < 20_000; round++) {
    let text = random.pick(['https://', 'http://', 'https://www.example/', 'http://a.example:']);
    for (let count = random.whole(0, 6); count >= 0; count--) text += random.pick(pieces);
    expect(read(text), text).toEqual(byParser(text));
  }
});
