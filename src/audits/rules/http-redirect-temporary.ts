/** Checks that a page that moved permanently redirects with a permanent status. */
import { failIfAny, pageRule } from '../rule.js';

const TEMPORARY = new Set([302, 303, 307]);

export const httpRedirectTemporary = pageRule({
  id: 'http.redirect-temporary',
  title: '{n} {redirect is|redirects are} temporary',
  passTitle: 'Redirects are permanent',
  category: 'crawl',
  severity: 'info',
  weight: 2,
  why: 'Search engines keep the old URL after a temporary redirect and request it again every time.',
  fix: 'Use 301 or 308 if the page has moved permanently.',
  on: 'response',
  inputs: { page: ['fetch'] },
  check({ page: { url, fetch } }) {
    // A redirect that does not end at a page is reported by another rule.
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
