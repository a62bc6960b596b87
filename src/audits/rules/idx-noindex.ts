/** Checks that no linked or listed page is set to noindex. */
import { directivesOf, noindexOf } from '../directives.js';
import { fail, pageRule, pass } from '../rule.js';

export const idxNoindex = pageRule({
  id: 'idx.noindex',
  title: '{n} linked {page is|pages are} set to noindex',
  passTitle: 'Pages may be indexed',
  category: 'index',
  severity: 'error',
  weight: 10,
  why: 'A page with noindex does not appear in search results.',
  fix: 'Remove noindex from the robots meta element or the X-Robots-Tag header, or stop linking to the page.',
  on: 'html',
  inputs: { page: ['fetch'], document: ['metas'] },
  check({ page: { url, fetch }, document }) {
    const found = noindexOf(directivesOf(fetch, document));
    if (!found) return pass;
    return fail({
      url,
      element:
        found.from === 'meta' ? `<meta name="${found.agent}" content="${found.text}">` : 'X-Robots-Tag',
      ...(found.line !== null && { line: found.line }),
      observed: found.text,
      expected: 'no noindex for search engines',
    });
  },
});
