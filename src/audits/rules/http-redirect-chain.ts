/** A link leads to its page in one step. */
import { fail, pageRule, pass } from '../rule.js';

export const httpRedirectChain = pageRule({
  id: 'http.redirect-chain',
  title: 'Redirects take one step',
  category: 'crawl',
  severity: 'warn',
  weight: 5,
  levels: 1,
  why: 'Every further redirect costs a round trip, and crawlers give up on long chains.',
  fix: 'Link to the final URL, and redirect to it directly.',
  on: 'answer',
  inputs: { page: ['fetch'] },
  check({ page: { url, fetch } }) {
    const { redirects } = fetch;
    if (redirects.length <= 1) return pass;
    return fail({
      url,
      observed: `${redirects.length} redirects: ${redirects.map(({ status }) => status).join(', ')}`,
      expected: 'at most one redirect',
      related: redirects.map(({ toUrl }) => toUrl),
    });
  },
});
