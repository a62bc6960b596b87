/** A page that has moved for good says so. */
import { failIfAny, pageRule } from '../rule.js';

const TEMPORARY = new Set([302, 303, 307]);

export const httpRedirectTemporary = pageRule({
  id: 'http.redirect-temporary',
  title: '{n} {redirect is|redirects are} temporary',
  passTitle: 'Redirects are permanent',
  category: 'crawl',
  severity: 'info',
  weight: 2,
  levels: 1,
  why: 'After a temporary redirect engines keep the old URL, and ask it again each time.',
  fix: 'Use 301 or 308 where the page has moved for good.',
  on: 'answer',
  inputs: { page: ['fetch'] },
  check({ page: { url, fetch } }) {
    // A redirect that ends in no page is another rule's finding.
    const hops = fetch.status === 200 ? fetch.redirects.filter(({ status }) => TEMPORARY.has(status)) : [];
    return failIfAny(
      hops.map(({ fromUrl, toUrl, status }) => ({
        url,
        element: fromUrl,
        observed: `status ${status} to ${toUrl}`,
        expected: 'status 301 or 308',
      })),
    );
  },
});
