/** Checks that every indexable page declares its canonical URL. */
import { canonicalLinks } from '../canonical-links.js';
import { directivesOf, noindexOf } from '../directives.js';
import { fail, notApplicable, pageRule, pass } from '../rule.js';

export const idxCanonicalMissing = pageRule({
  id: 'idx.canonical-missing',
  title: '{n} {page has|pages have} no canonical URL',
  passTitle: 'Pages have a canonical URL',
  category: 'index',
  severity: 'warn',
  weight: 5,
  why: 'Without one, every parameter and spelling of the URL can be indexed as a separate page.',
  fix: 'Add <link rel="canonical"> with the absolute URL of the page itself.',
  on: 'html',
  inputs: { page: ['fetch'], document: ['links', 'metas'] },
  check({ page, document }) {
    if (noindexOf(directivesOf(page.fetch, document))) return notApplicable('the page is set to noindex');
    if (canonicalLinks(page, document).length > 0) return pass;
    return fail({
      url: page.url,
      observed: 'no canonical',
      expected: '<link rel="canonical"> with the URL of the page',
    });
  },
});
