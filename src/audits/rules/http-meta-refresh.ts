/** Checks that pages redirect by status, not by markup. */
import { failIfAny, pageRule } from '../rule.js';

export const httpMetaRefresh = pageRule({
  id: 'http.meta-refresh',
  title: '{n} {page uses|pages use} a meta refresh',
  passTitle: 'No page uses a meta refresh',
  category: 'crawl',
  severity: 'warn',
  weight: 3,
  why: 'A meta refresh interrupts the reader, and search engines follow it late or not at all.',
  fix: 'Redirect on the server with 301 or 308; update content with a script.',
  on: 'html',
  inputs: { document: ['metas'] },
  check({ page: { url }, document: { metas } }) {
    const found = metas.filter(({ httpEquiv }) => httpEquiv === 'refresh');
    return failIfAny(
      found.map(({ content, line }) => ({
        url,
        element: `<meta http-equiv="refresh" content="${content ?? ''}">`,
        line,
        observed: content ?? 'a refresh without content',
        expected: 'a redirect status, or no redirect',
      })),
    );
  },
});
