import fc from 'fast-check';
import { parse, serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-time.js';
import { DocumentTooDeep, type HtmlElement, HtmlTree, isElement } from './html-tree.js';

function elements(root: { childNodes: readonly unknown[] }): HtmlElement[] {
  const nodes = root.childNodes as HtmlElement[];
  return nodes.flatMap((node) => (isElement(node) ? [node, ...elements(node)] : []));
}

const SOURCES = [
  '<!doctype html>\n<html lang=en>\n<head>\n<title>x</title>\n<meta\n  name="a"\n  content="b">\n</head>\n<body>\n<p>one<p>two <b>bold<i>both</b>it</i>\n<table><tr><td>cell</table>\n<svg viewBox="0 0 1 1"><path d="M0"/></svg></body></html>',
  '\r\n<div>\r\n<a href="x<y">1</a>\r<img\rsrc=a alt="é😀">\r\n</div>',
  '<title>t</title><div>early</div><link rel=canonical href=x><body class=a><form><input><form></form>',
  'text <b>a<p>b</b>c</p> <select><option>1<option>2</select> <template><p>in</p></template>',
];

describe('source positions of elements', () => {
  it.each(SOURCES)('match those of the parser: %j', (html) => {
    const tree = new HtmlTree(html);
    const reference = elements(parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false }));
    const own = elements(tree.document);
    expect(own.map(({ tagName }) => tagName)).toEqual(reference.map(({ tagName }) => tagName));
    for (const [index, element] of own.entries()) {
      const place = reference[index]?.sourceCodeLocation;
      if (!place?.startTag) continue;
      const expected = html.slice(place.startTag.startOffset, place.startTag.endOffset);
      expect([tree.lineOf(element), tree.sourceOf(element)]).toEqual([place.startTag.startLine, expected]);
    }
  });

  it('tell whether the head was closed by its own tag', () => {
    expect(new HtmlTree('<head><title>a</title></head><body>').headEnded).toBe(true);
    expect(new HtmlTree('<head><div></div></head><body>').headEnded).toBe(false);
  });
});

const PIECES = [
  ...[
    '<',
    '>',
    '&',
    '&amp;',
    '&notit;',
    '&#x41;',
    '&#0;',
    '\0',
    '\r',
    '\n',
    '\r\n',
    ' ',
    '\t',
    '"',
    "'",
    '=',
    '/',
  ],
  ...['word', 'two words', 'é', '漢字', '😀', '\ud800', '<!--', '-->', '<![CDATA[', ']]>', '<!doctype html>'],
  ...[
    '<p>',
    '</p>',
    '<pre>',
    '</pre>',
    '<textarea>',
    '</textarea>',
    '<b>',
    '</b>',
    '<a href="',
    '<i title="a\r\nb&lt;">',
  ],
  ...['<table>', '<tr>', '<td>', '<caption>', '<col>', '</table>', '<select>', '<option>', '</select>'],
  ...['<svg>', '<foreignObject>', '</svg>', '<math>', '<mi>', '<title>', '</title>', '<style>', '</style>'],
  ...['<script>', '<script><!--', '</script>', '<noscript>', '</noscript>', '<template>', '</template>'],
  ...[
    '<head>',
    '</head>',
    '<body>',
    '</body>',
    '</html>',
    '<frameset>',
    '<plaintext>',
    '<listing>',
    '<iframe>',
  ],
];

it('builds the same tree as the parser does character by character', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
      const html = pieces.join('');
      expect(serialize(new HtmlTree(html).document)).toBe(
        serialize(parse(html, { scriptingEnabled: false })),
      );
    }),
    { numRuns: 1000 },
  );
});

it('reads a long text with a character reference at every second position in linear time', () => {
  const html = `<p>${'a&'.repeat(500_000)}<a title="${'b&'.repeat(400_000)}`;
  const read = () => expect(new HtmlTree(html).document.childNodes).toHaveLength(1);
  expect(cpuMs(read)).toBeLessThan(5_000);
});

it('rejects a document that nests too deep', () => {
  expect(() => new HtmlTree('<div>'.repeat(200_000))).toThrow(DocumentTooDeep);
});
