import { expect, it } from 'vitest';
import { hasContentHash } from './content-hash.js';

it.each([
  '/app.0123456789ab.js',
  '/assets/index-B3xk9QzL.css',
  '/main.4f3c2b1a.min.js',
  '/chunk-K3XV2LQ7.js',
  '/_next/static/chunks/4bd1b696-7f6e5d4c3b2a1908.js?v=1',
])('finds the hash in %s', (url) => {
  expect(hasContentHash(`https://www.example.com${url}`)).toBe(true);
});

it.each([
  '/images/fts5_formula1.png',
  '/images/fts3_doclist2.png',
  '/photo-20240131.jpg',
  '/IMG_00012345.jpg',
  '/chapter-12.html',
  '/jquery-3.7.1.min.js',
  '/MacBookPro16.png',
  '/Html5Player.js',
  '/facade01.css',
  '/accessibility.svg',
  '/0123456789ab',
])('finds no hash in %s', (url) => {
  expect(hasContentHash(`https://www.example.com${url}`)).toBe(false);
});

it('accepts a hash of 8 to 64 characters in a name of at most 255', () => {
  const named = (name: string) => hasContentHash(`https://www.example.com/${name}`);
  const hash = (chars: number) => 'a1'.repeat(chars).slice(0, chars);
  expect([7, 8, 64, 65].map((chars) => named(`x.${hash(chars)}.js`))).toEqual([false, true, true, false]);
  expect([255, 256].map((chars) => named(`${'x'.repeat(chars - 12)}.${hash(8)}.js`))).toEqual([true, false]);
});
