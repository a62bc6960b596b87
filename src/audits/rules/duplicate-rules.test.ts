import { describe, expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { DUPLICATE_RULES } from './duplicate-rules.js';

const NOINDEX = '<meta name="robots" content="noindex">';
const MARKUP: Readonly<Record<string, (text: string) => string>> = {
  'title.duplicate': (text) => `<title>${text}</title>`,
  'desc.duplicate': (text) => `<meta name="description" content="${text}">`,
};

describe.each(DUPLICATE_RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  const saying = (path: string, text: string, more = '') =>
    page(path, { html: `<head>${MARKUP[id]?.(text)}${more}</head>` });

  it('fires for a group of pages with the same text', () => {
    const pages = [saying('/a', 'Same'), saying('/b', 'Other'), saying('/c', 'Same')];
    expect(outcomeOf(rule, pages)).toMatchObject({
      status: 'fail',
      evidence: [{ url: 'https://www.example.com/a', related: ['https://www.example.com/c'] }],
    });
  });

  it('treats pages with the same canonical, and copies of a page, as one', () => {
    const canonical = '<link rel="canonical" href="https://www.example.com/">';
    const aliases = [saying('/', 'Same', canonical), saying('/index.html', 'Same', canonical)];
    expect(outcomeOf(rule, aliases).status).toBe('pass');
    const copy = (path: string) =>
      page(path, { html: `<head>${MARKUP[id]?.('Same')}</head><body>${'buoys drift '.repeat(20)}</body>` });
    expect(outcomeOf(rule, [copy('/a'), copy('/b')]).status).toBe('pass');
  });

  it('stays silent for unique texts, and for a page that is not indexed', () => {
    expect(outcomeOf(rule, [saying('/a', 'Same'), saying('/b', 'Same', NOINDEX)]).status).toBe('pass');
    expect(outcomeOf(rule, [page('/', { html: '<p>x</p>' })]).status).toBe('not-applicable');
  });
});
