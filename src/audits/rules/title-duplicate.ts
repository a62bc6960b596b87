/** No two indexable pages share a title. */
import { isIndexable } from '../directives.js';
import { failIfAny, notApplicable, siteRule } from '../rule.js';

export const titleDuplicate = siteRule({
  id: 'title.duplicate',
  title: 'Titles are unique',
  category: 'content',
  severity: 'warn',
  weight: 6,
  levels: 1,
  why: 'Pages with one title compete with each other, and readers cannot tell them apart.',
  fix: 'Give every page a title of its own, or make one of them canonical.',
  inputs: { pages: ['fetch'], documents: ['titles', 'metas'] },
  check({ pages }) {
    const groups = new Map<string, string[]>();
    for (const page of pages) {
      const title = page.document?.titles.find(({ inHead }) => inHead)?.text;
      if (!title || !isIndexable(page)) continue;
      groups.set(title, [...(groups.get(title) ?? []), page.url]);
    }
    if (groups.size === 0) return notApplicable('no indexable page has a title');
    const shared = [...groups].filter(([, urls]) => urls.length > 1);
    return failIfAny(
      shared.map(([title, [url = '', ...related]]) => ({
        url,
        element: `<title>${title}</title>`,
        observed: `${related.length + 1} pages with this title`,
        expected: 'a title of its own for every page',
        related,
      })),
    );
  },
});
