/** Checks that no redirect loops. */
import { fail, pageRule, pass } from '../rule.js';

export const httpRedirectLoop = pageRule({
  id: 'http.redirect-loop',
  title: '{n} {redirect never ends|redirects never end}',
  passTitle: 'No redirect loops',
  category: 'crawl',
  severity: 'error',
  weight: 9,
  why: 'A loop never reaches a page: readers see an error, and crawlers drop the URL.',
  fix: 'Break the loop: return the page at one of its URLs.',
  on: 'response',
  inputs: { page: ['fetch'] },
  check({ page: { url, fetch } }) {
    const { redirects, error } = fetch;
    if (error?.code !== 'redirect_loop') return pass;
    return fail({
      url,
      observed: `a redirect back to ${fetch.finalUrl}`,
      expected: 'redirects that end in a page',
      related: redirects.map(({ toUrl }) => toUrl),
    });
  },
});
