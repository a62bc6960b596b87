/** Checks that a page has only one canonical URL, in the head or in a header. */
import { canonicalLinks } from '../canonical-links.js';
import { failIfAny, notApplicable, pageRule } from '../rule.js';

export const idxCanonicalMultiple = pageRule({
  id: 'idx.canonical-multiple',
  title: '{n} {page has|pages have} several canonical URLs',
  passTitle: 'Pages have one canonical URL',
  category: 'index',
  severity: 'error',
  weight: 6,
  why: 'Search engines ignore canonicals that contradict each other.',
  fix: 'Keep one canonical, in the head or in the Link header.',
  on: 'html',
  inputs: { page: ['fetch'], document: ['links'] },
  check({ page, document }) {
    const links = canonicalLinks(page, document);
    if (links.length === 0) return notApplicable('the page has no canonical');
    const first = links[0];
    const others = links.filter(({ url, href }) => (url ?? href) !== (first?.url ?? first?.href));
    return failIfAny(
      others.map(({ href, from, line }) => ({
        url: page.url,
        element: from === 'header' ? 'Link' : `<link rel="canonical" href="${href}">`,
        ...(line !== null && { line }),
        observed: `${href}, beside ${first?.href ?? ''}`,
        expected: 'one canonical',
      })),
    );
  },
});
