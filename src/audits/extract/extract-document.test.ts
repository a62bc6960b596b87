import { describe, expect, it } from 'vitest';
import { page } from '../../../test/support/audit-facts.js';
import { DOCUMENT_LIMITS } from './document-limits.js';

const facts = (html: string, headers?: readonly (readonly [string, string])[]) => {
  const { document } = page('/a/b', { html, ...(headers && { headers }) });
  if (!document) throw new Error('no document');
  return document;
};

describe('facts of a document', () => {
  it('resolve links against the base, separate internal from external links, and split off fragments', () => {
    const { anchors, baseHref } = facts(
      '<base href="/base/"><a href="x#top">In</a>\n<a href="https://blog.example.com/%7Ea">Sub</a><a href="https://example.net/">Out</a><a href="javascript:x()">Js</a><a name="here"></a>',
    );
    expect(baseHref).toBe('/base/');
    expect(anchors.map(({ url, internal, fragment }) => [url, internal, fragment])).toEqual([
      ['https://www.example.com/base/x', true, 'top'],
      ['https://blog.example.com/~a', true, null],
      ['https://example.net/', false, null],
      [null, false, null],
      [null, false, null],
    ]);
    expect(anchors[1]?.line).toBe(2);
    expect(anchors[4]?.targetOnly).toBe(true);
  });

  it('show a head that ends early, and what is misplaced because of it', () => {
    const { head, links } = facts(
      '<html><head><title>t</title>\n<div>x</div>\n<link rel="canonical" href="/a"></head><body></body>',
    );
    expect(head.closedBy).toMatchObject({ tag: 'div', line: 2 });
    expect(head.misplaced).toMatchObject([{ tag: 'link', line: 3 }]);
    expect(links[0]?.inHead).toBe(false);
    expect(facts('<head><title>t</title></head><body><p>x</p></body>').head.closedBy).toBeNull();
  });

  it('count only visible words', () => {
    const { text } = facts(
      '<body><nav>menu here</nav><main>One two<b>three</b> four. <script>no no</script><p hidden>hidden</p></main><noscript>turn it on</noscript></body>',
    );
    expect(text).toMatchObject({ words: 5, mainWords: 3, noscriptWords: 3 });
    expect(facts('<main>日本語の文章です</main>').text.words).toBe(4);
  });

  it('have the charset of the BOM, the header or the markup, in this order', () => {
    const html = '<meta charset="windows-1252"><title>x</title>';
    expect(facts(html, [['content-type', 'text/html']]).charset).toEqual({
      name: 'windows-1252',
      from: 'meta',
    });
    expect(facts(html, [['content-type', 'text/html; charset=UTF-8']]).charset).toEqual({
      name: 'utf-8',
      from: 'header',
    });
    expect(facts(`\ufeff${html}`).charset.from).toBe('bom');
    expect(facts('<p>', [['content-type', 'text/html; charset=nonsense']]).charset.from).toBe('default');
  });

  it('locate errors in JSON-LD by the lines of the document', () => {
    const { jsonLd } = facts('<p>\n<script type="application/ld+json">\n{"a": 1,\n "b": }\n</script>');
    expect(jsonLd[0]).toMatchObject({ line: 2, error: { line: 4, column: 7 } });
  });

  it('are limited, and name the lists that were cut', () => {
    const links = Array.from({ length: DOCUMENT_LIMITS.anchors + 5 }, (_, at) => `<a href=/${at}>x</a>`);
    const { anchors, cut } = facts(links.join(''));
    expect(anchors).toHaveLength(DOCUMENT_LIMITS.anchors);
    expect(cut).toEqual(['anchors']);
    const repeated = facts('<a href=/x>x</a>'.repeat(DOCUMENT_LIMITS.anchors + 5));
    expect([repeated.anchors.length, repeated.cut]).toEqual([DOCUMENT_LIMITS.repeatedAnchors, []]);
    const long = facts(`<title>t</title>${'x'.repeat(DOCUMENT_LIMITS.parsedBytes)}`);
    expect(long).toMatchObject({ parsedBytes: DOCUMENT_LIMITS.parsedBytes, parseCut: true });
  });

  it('contain no secret from a URL', () => {
    const { anchors, images } = facts(
      '<a href="/get?access_token=s3cr3t-t0ken-value-0123456789">x</a><img src="https://u:hunter2pass@example.net/a.png">',
    );
    expect(JSON.stringify([anchors, images])).not.toMatch(/s3cr3t|hunter2/);
  });
});
