/** What belongs in the head, and who ended it. */
import { describe, expect, it } from 'vitest';
import { page } from '../../../test/support/audit-facts.js';

const facts = (html: string) => {
  const { document } = page('/a/b', { html });
  if (!document) throw new Error('no document');
  return document;
};

describe('an element that belongs in the head', () => {
  it.each([
    ['<title>x</title>', 'title'],
    ['<base href=/x>', 'base'],
    ['<meta name=robots>', 'meta'],
    ...['canonical', 'alternate', 'icon', 'next', 'prev', 'amphtml', 'manifest'].map((rel) => [
      `<link rel="x ${rel}" href=/x>`,
      'link',
    ]),
  ])('is misplaced in the body: %s', (html, tag) => {
    expect(facts(`<body>${html}`).head.misplaced).toMatchObject([{ tag }]);
    expect(facts(`<head>${html}</head><body>`).head.misplaced).toEqual([]);
  });

  it.each([
    '<meta itemprop=x>',
    '<link itemprop=x rel=canonical href=/x>',
    '<link rel=stylesheet href=/x>',
    '<link href=/x>',
    '<script></script>',
  ])('may also stand in the body: %s', (html) => {
    expect(facts(`<body>${html}`).head.misplaced).toEqual([]);
  });

  it('was ended early only if the author ended it nowhere', () => {
    const link = '<link rel=canonical href=/x>';
    const closedBy = (html: string) => facts(html).head.closedBy?.tag;
    expect(closedBy(`<title>t</title>text<p>x</p>${link}`)).toBe('p');
    expect(closedBy(`<title>t</title></head><p>x</p>${link}`)).toBeUndefined();
    expect(closedBy(`<title>t</title><body><p>x</p>${link}`)).toBeUndefined();
    expect(closedBy('<title>t</title><p>x</p>')).toBeUndefined();
  });
});
