/** Checks that structured data and the canonical name the same page. */

import { tryUrl } from '../../try-url.js';
import { canonicalLinks } from '../canonical-links.js';
import { crawlUrl } from '../crawl/crawl-url.js';
import { isObject, jsonLdNodes } from '../json-ld-nodes.js';
import { failIfAny, notApplicable, pageRule } from '../rule.js';

/** Types whose url is that of their page; the url of an organisation is not. */
const PAGE_TYPES =
  /^(?:WebPage|AboutPage|ContactPage|CollectionPage|ItemPage|ProfilePage|FAQPage|QAPage|.*Article|BlogPosting|Product|Recipe|Event|JobPosting)$/;

export const sdUrlConsistency = pageRule({
  id: 'sd.url-consistency',
  title: '{n} {page has|pages have} structured data for a different URL',
  passTitle: 'Structured data is about its own page',
  category: 'schema',
  severity: 'info',
  weight: 2,
  why: 'Search engines do not associate data about another URL with this page.',
  fix: 'Set url and mainEntityOfPage to the canonical URL.',
  on: 'html',
  inputs: { page: ['fetch'], document: ['jsonLd', 'links'] },
  check({ page, document }) {
    const named = jsonLdNodes(document.jsonLd)
      .filter(({ types }) => types.some((type) => PAGE_TYPES.test(type)))
      .flatMap(({ node, types, line }) =>
        (['url', 'mainEntityOfPage'] as const).flatMap((key) => {
          const text = addressOf(node[key]);
          return text !== undefined && tryUrl(text, page.url)
            ? [{ key, text, type: types[0] ?? '', line }]
            : [];
        }),
      );
    if (named.length === 0) return notApplicable('no structured data contains a page URL');
    const own = canonicalLinks(page, document)[0]?.url ?? page.url;
    const wanted = crawlUrl(new URL(own));
    return failIfAny(
      named
        .filter(({ text }) => crawlUrl(new URL(text, page.url)) !== wanted)
        .map(({ key, text, type, line }) => ({
          url: page.url,
          element: `${type}.${key}`,
          line,
          observed: text,
          expected: wanted,
        })),
    );
  },
});

function addressOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isObject(value) && typeof value['@id'] === 'string' ? value['@id'] : undefined;
}
