/** How much of a document is kept: n, and not n + 1. */
import { describe, expect, it } from 'vitest';
import { page } from '../../../test/support/audit-facts.js';

const facts = (html: string) => {
  const { document } = page('/a/b', { html });
  if (!document) throw new Error('no document');
  return document;
};

describe('a list', () => {
  const many = (count: number, one: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => one(at));
  const CASES: readonly [
    list:
      | 'titles'
      | 'metas'
      | 'links'
      | 'headings'
      | 'clickables'
      | 'images'
      | 'scripts'
      | 'embeds'
      | 'forms'
      | 'jsonLd'
      | 'ids',
    bound: number,
    one: (at: number) => string,
  ][] = [
    ['titles', 20, (at) => `<title>${at}</title>`],
    ['metas', 200, () => '<meta itemprop=x>'],
    ['links', 500, () => '<link rel=stylesheet>'],
    ['headings', 500, () => '<h2>x</h2>'],
    ['clickables', 100, () => '<b role=link>x</b>'],
    ['images', 1_000, () => '<img>'],
    ['scripts', 500, () => '<script></script>'],
    ['embeds', 500, () => '<embed src=x>'],
    ['forms', 100, () => '<form action=x></form>'],
    ['jsonLd', 50, () => '<script type="application/ld+json">1</script>'],
    ['ids', 10_000, (at) => `<b id=a${at}></b>`],
  ];

  it.each(CASES)('of %s is cut after %i, and says so', (list, bound, one) => {
    const whole = facts(many(bound, one).join(''));
    expect([whole[list].length, whole.cut]).toEqual([bound, []]);
    const cut = facts(many(bound + 1, one).join(''));
    expect([cut[list].length, cut.cut]).toEqual([bound, [list]]);
  });

  it('of misplaced elements ends after 50', () => {
    expect(facts(`<body>${'<meta name=x>'.repeat(51)}`).head.misplaced).toHaveLength(50);
  });

  it('of anchors has the same address again up to 2,000 anchors', () => {
    const anchors = many(1_999, (at) => `<a href=/${at}>x</a>`).join('');
    const again = '<a href=/0>x</a>';
    const hrefs = (html: string) => facts(html).anchors.length;
    expect([
      hrefs(anchors + again),
      hrefs(anchors + again + again),
      hrefs(`${anchors + again}<a href=/n>`),
    ]).toEqual([2_000, 2_000, 2_001]);
  });
});

it('reads a page up to 2 MB', () => {
  const padding = (bytes: number) => facts('x'.repeat(bytes));
  expect(padding(2_097_152)).toMatchObject({ parsedBytes: 2_097_152, parseCut: false });
  expect(padding(2_097_153)).toMatchObject({ parsedBytes: 2_097_152, parseCut: true });
});
