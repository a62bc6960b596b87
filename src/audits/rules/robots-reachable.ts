/** Checks that robots.txt can be fetched directly or clearly does not exist. */
import { fail, notMeasured, pass, siteRule } from '../rule.js';

const FINE = new Set([200, 404, 410]);

export const robotsReachable = siteRule({
  id: 'robots.reachable',
  title: 'robots.txt cannot be fetched directly',
  passTitle: 'robots.txt can be fetched directly',
  category: 'crawl',
  severity: 'warn',
  weight: 6,
  why: 'While robots.txt fails, crawlers treat the whole site as blocked.',
  fix: 'Serve /robots.txt with status 200, or return 404, without a redirect.',
  inputs: { site: ['robots', 'origin'] },
  check({ site: { robots, origin } }) {
    const file = robots.find((each) => each.origin === origin);
    if (!file) return notMeasured('robots.txt was not requested');
    const { url, status, error, redirects } = file.fetch;
    if (status !== null && FINE.has(status) && redirects.length === 0) return pass;
    const moved = `a redirect to ${file.fetch.finalUrl}`;
    const failed = status === null ? `no response: ${error?.code ?? 'unknown'}` : `status ${status}`;
    return fail({
      url,
      observed: status !== null && FINE.has(status) ? moved : failed,
      expected: 'status 200 or 404, without a redirect',
    });
  },
});
