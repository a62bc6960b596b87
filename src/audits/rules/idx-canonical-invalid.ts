/** Checks that a canonical is an absolute http URL without a fragment, in the head. */
import { canonicalLinks } from '../canonical-links.js';
import { failIfAny, notApplicable, pageRule } from '../rule.js';

export const idxCanonicalInvalid = pageRule({
  id: 'idx.canonical-invalid',
  title: '{n} {page has|pages have} a malformed canonical URL',
  passTitle: 'Canonical URLs are well-formed',
  category: 'index',
  severity: 'error',
  weight: 6,
  why: 'A canonical URL that is relative, has a fragment or is in the body is misread or ignored.',
  fix: 'Write the absolute URL, without a fragment, in the head.',
  on: 'html',
  inputs: { page: ['fetch'], document: ['links'] },
  check({ page, document }) {
    const links = canonicalLinks(page, document);
    if (links.length === 0) return notApplicable('the page has no canonical');
    return failIfAny(
      links.flatMap(({ href, url, from, line, inHead }) => {
        const fault = faultOf(href, url, inHead);
        if (fault === undefined) return [];
        return [
          {
            url: page.url,
            element: from === 'header' ? 'Link' : `<link rel="canonical" href="${href}">`,
            ...(line !== null && { line }),
            observed: fault,
            expected: 'an absolute http or https URL without a fragment, in the head',
          },
        ];
      }),
    );
  },
});

function faultOf(href: string, url: string | null, inHead: boolean): string | undefined {
  if (href.trim() === '') return 'an empty canonical';
  if (url === null) return `not an http URL: ${href}`;
  if (!/^https?:\/\//i.test(href.trim())) return `a relative URL: ${href}`;
  if (href.includes('#')) return `a fragment: ${href}`;
  return inHead ? undefined : 'a canonical outside the head';
}
