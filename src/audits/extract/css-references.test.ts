import { expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-time.js';
import { cssReferences } from './css-references.js';

it('finds fonts, images and imports with their lines', () => {
  const css = `@import "base.css";
@import url(print.css) print;
/* url(comment.png) */
@font-face { font-family: A; src: url("a.woff2") format("woff2"),
  url(a.woff) }
body { background: URL( 'sea.png' ); content: "url(text.png)" }
.icon { background: url(data:image/png;base64,AA==); mask: url(#shape) }`;
  expect(cssReferences(css)).toEqual([
    { href: 'base.css', kind: 'style', line: 1 },
    { href: 'print.css', kind: 'style', line: 2 },
    { href: 'a.woff2', kind: 'font', line: 4 },
    { href: 'a.woff', kind: 'font', line: 5 },
    { href: 'sea.png', kind: 'image', line: 6 },
  ]);
});

it.each(['url(', '"', '/*', '@font-face{', 'url("', '\\', '@'])('stays linear for repeated %j', (piece) => {
  const css = piece.repeat(200_000 / piece.length);
  expect(cpuMs(() => cssReferences(css))).toBeLessThan(2_000);
});
