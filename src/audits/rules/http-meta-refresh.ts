/** Pages redirect by status, not by markup. */
import { failIfAny, pageRule } from '../rule.js';

export const httpMetaRefresh = pageRule({
  id: 'http.meta-refresh',
  title: '{n} {page refreshes or redirects|pages refresh or redirect} by a meta element',
  passTitle: 'No page refreshes or redirects by a meta element',
  category: 'crawl',
  severity: 'warn',
  weight: 3,
  levels: 1,
  why: 'A meta refresh takes the page away from its reader, and engines follow it late or not at all.',
  fix: 'Redirect on the server with 301 or 308; update content by script.',
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
        expected: 'a redirect by status, or none',
      })),
    );
  },
});
