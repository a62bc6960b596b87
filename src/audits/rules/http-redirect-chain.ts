/** Checks that a link leads to its page with at most one redirect. */
import { fail, notApplicable, pageRule, pass } from '../rule.js';

export const httpRedirectChain = pageRule({
  id: 'http.redirect-chain',
  title: '{n} {link takes|links take} more than one redirect',
  passTitle: 'Links take at most one redirect',
  category: 'crawl',
  severity: 'warn',
  weight: 5,
  why: 'Every redirect costs a round trip, and crawlers give up on long chains.',
  fix: 'Link to the final URL, and redirect to it directly.',
  on: 'response',
  inputs: { page: ['fetch'] },
  check({ page: { url, fetch } }) {
    const { redirects, error } = fetch;
    if (error?.code === 'redirect_loop') return notApplicable('a redirect loop is reported by its own rule');
    if (redirects.length <= 1) return pass;
    return fail({
      url,
      observed: `${redirects.length} redirects: ${redirects.map(({ status }) => status).join(', ')}`,
      expected: 'at most one redirect',
      related: redirects.map(({ toUrl }) => toUrl),
    });
  },
});
