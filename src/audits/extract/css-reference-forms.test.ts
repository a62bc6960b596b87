/** Which forms of CSS name a file, and which only look like it. */
import { expect, it } from 'vitest';
import { CSS_LIMITS, cssReferences } from './css-references.js';

const found = (css: string) =>
  cssReferences(css).map(({ kind, href, line }) => `${kind} ${href} on line ${line}`);

it.each<[string, readonly string[]]>([
  ['url(a.png)', ['image a.png on line 1']],
  ['"a.css"', []],
  ["@import 'a.css';", ['style a.css on line 1']],
  ['@IMPORT "a.css";', ['style a.css on line 1']],
  ['@import "a.css" layer("b");', ['style a.css on line 1']],
  ['@import url("a.css") supports(font-format("woff2"));', ['style a.css on line 1']],
  ['@import; a{content:"b.css"}', []],
  ['@import {content:"b.css"}', []],
  ['@media print{a{content:"b.css"}}', []],
  ['@media print{a{background:url(b.png)}}', ['image b.png on line 1']],
  ['@font-face{src:url(a.woff)}b{background:url(b.png)}', ['font a.woff on line 1', 'image b.png on line 1']],
  ['@Font-Face{src:url(a.woff),url("b.woff")}', ['font a.woff on line 1', 'font b.woff on line 1']],
  ['/* url(a.png) */url(b.png)', ['image b.png on line 1']],
  ['/*/ url(a.png) */url(b.png)', ['image b.png on line 1']],
  ['/**/url(b.png)', ['image b.png on line 1']],
  ['/* url(a.png)', []],
  ['/*\n\n*/\nurl(b.png)', ['image b.png on line 4']],
  ['a{font:1px/2 b;background:url(b.png)}', ['image b.png on line 1']],
  ['.a *{background:url(b.png)}', ['image b.png on line 1']],
  ['curl(a.png)', ['image a.png on line 1']],
  ['use(a.png)', []],
  ['a{content:"\\"url(a.png)"}b{mask:url(b.png)}', ['image b.png on line 1']],
  ['a{content:"\\""}b{mask:url(b.png)}', ['image b.png on line 1']],
  ["a{content:'url(a.png)'}b{mask:url(b.png)}", ['image b.png on line 1']],
  ["a{content:'\"'}b{mask:url(b.png)}", ['image b.png on line 1']],
  ['a{content:"url(a.png)\n}b{mask:url(b.png)}', ['image b.png on line 2']],
  ['url("a.png"),url(b.png)', ['image a.png on line 1', 'image b.png on line 1']],
  ["url('a.png')url(b.png)", ['image a.png on line 1', 'image b.png on line 1']],
  ["url(it's.png) url(b.png)", ["image it's.png on line 1", 'image b.png on line 1']],
  ['url( \n a.png\t) url(b.png)', ['image a.png on line 2', 'image b.png on line 2']],
  ['url(a.png', ['image a.png on line 1']],
  ['url("a.png', ['image a.png on line 1']],
  ['url() url("") url(  )', []],
  ['url(DATA:image/png,A) url(blob:a) url(about:blank) url(#a)', []],
  ['url(a/data:b) url(b#c)', ['image a/data:b on line 1', 'image b#c on line 1']],
])('%j names %j', (css, references) => {
  expect(found(css)).toEqual(references);
});

it.each([
  [CSS_LIMITS.hrefChars, 1],
  [CSS_LIMITS.hrefChars + 1, 0],
])('keeps a reference of up to 2,048 characters: %i', (chars, kept) => {
  expect(CSS_LIMITS.hrefChars).toBe(2_048);
  expect(cssReferences(`url(${'a'.repeat(chars)})`)).toHaveLength(kept);
});

it('keeps the first 500 references', () => {
  const css = Array.from({ length: 501 }, (_, at) => `url(${at}.png)`).join(' ');
  expect(cssReferences(css).map(({ href }) => href)).toEqual(
    Array.from({ length: 500 }, (_, at) => `${at}.png`),
  );
});

it('reads the first million characters', () => {
  expect(found(`${' '.repeat(999_990)}url(a.png)`)).toHaveLength(1);
  expect(found(`${' '.repeat(1_000_000)}url(a.png)`)).toHaveLength(0);
});
