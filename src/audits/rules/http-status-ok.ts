/** Every page that is linked or listed answers 200. */
import { isRedirect } from '../../net/index.js';
import { failIfAny, notMeasured, pageRule } from '../rule.js';

export const httpStatusOk = pageRule({
  id: 'http.status-ok',
  title: 'Pages answer with status 200',
  category: 'crawl',
  severity: 'error',
  weight: 10,
  levels: 1,
  why: 'A linked page that does not answer 200 is lost to readers and drops out of the index.',
  fix: 'Return 200, or 404 or 410 on purpose and remove the links to it.',
  on: 'answer',
  inputs: { page: ['fetch'] },
  check({ page: { url, fetch } }) {
    const { status, error, redirects } = fetch;
    if (status === 200) return failIfAny([]);
    if (status !== null && redirects.length > 0 && isRedirect(status)) {
      return notMeasured('robots.txt keeps the audit from where the redirect leads');
    }
    return failIfAny([
      {
        url,
        observed: status === null ? `no answer: ${error?.code ?? 'unknown'}` : `status ${status}`,
        expected: 'status 200',
        ...(redirects.length > 0 && { related: redirects.map(({ toUrl }) => toUrl) }),
      },
    ]);
  },
});
