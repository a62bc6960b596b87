/** Checks that every crawled page responds with 200. Missing pages are reported where they are linked or listed. */
import { isRedirect } from '../../net/index.js';
import { describeResponse } from '../reachability.js';
import { failIfAny, notApplicable, notMeasured, pageRule } from '../rule.js';

export const httpStatusOk = pageRule({
  id: 'http.status-ok',
  title: '{n} {page responds|pages respond} with an error',
  passTitle: 'Pages respond with status 200',
  category: 'crawl',
  severity: 'error',
  weight: 10,
  why: 'A page that does not return 200 is lost to readers and drops out of the index.',
  fix: 'Return 200, or return 404 or 410 on purpose and remove the links to it.',
  on: 'response',
  inputs: { page: ['fetch'], site: ['startUrl', 'homeUrl'] },
  check({ page: { url, fetch }, site: { startUrl, homeUrl } }) {
    const { status, error, redirects } = fetch;
    if (status === 200) return failIfAny([]);
    if (status !== null && redirects.length > 0 && isRedirect(status)) {
      return notMeasured('robots.txt blocks the target of the redirect');
    }
    const isEntry = url === startUrl || url === homeUrl;
    if ((status === 404 || status === 410) && !isEntry)
      return notApplicable('a missing page is reported where it is linked or listed');
    if (error?.code === 'redirect_loop') return notApplicable('a redirect loop is reported by its own rule');
    return failIfAny([
      {
        url,
        observed: describeResponse(fetch),
        expected: 'status 200',
        ...(redirects.length > 0 && { related: redirects.map(({ toUrl }) => toUrl) }),
      },
    ]);
  },
});
