/**
 * Checks that the site is served over HTTPS, that its certificate does not expire soon, and that plain http leads
 * there.
 */
import { isLoopback } from '../loopback.js';
import { type Evidence, failIfAny, notApplicable, notMeasured, siteRule } from '../rule.js';

const DAYS_MIN = 14;
const DAY_MS = 86_400_000;

export const secHttps = siteRule({
  id: 'sec.https',
  title: 'The site is not fully served over HTTPS',
  passTitle: 'The site is served over HTTPS',
  category: 'security',
  severity: 'error',
  weight: 8,
  why: 'Over plain HTTP, anyone on the network path can read and change the page, and browsers warn about it.',
  fix: 'Serve the site over HTTPS, renew the certificate in time, and redirect HTTP to HTTPS.',
  inputs: { site: ['origin', 'homeUrl', 'probes', 'responses', 'measuredAt'] },
  check({ site: { origin, homeUrl, probes, responses, measuredAt } }) {
    const home = responses.get(homeUrl);
    const evidence: Evidence[] = [];
    if (isLoopback(origin)) return notApplicable('the site runs on this machine');
    if (!origin.startsWith('https:')) {
      evidence.push({ url: homeUrl, observed: 'served over plain HTTP', expected: 'HTTPS' });
      return failIfAny(evidence);
    }
    if (!home) return notMeasured('the home page was not requested');
    if (home.error?.code === 'tls_error')
      evidence.push({ url: homeUrl, observed: home.error.message, expected: 'a valid certificate' });
    const until = home.tls?.validTo ?? null;
    if (until !== null) {
      const days = Math.floor((Date.parse(until) - Date.parse(measuredAt)) / DAY_MS);
      if (days <= DAYS_MIN) {
        evidence.push({
          url: homeUrl,
          element: 'certificate',
          observed: `valid for ${days} days, until ${until}`,
          expected: `more than ${DAYS_MIN} days`,
        });
      }
    }
    const { host } = new URL(origin);
    const plain = probes.hostVariants.find(
      ({ url }) => url.startsWith('http:') && new URL(url).host === host,
    );
    if (plain && plain.status !== null && plain.finalUrl.startsWith('http:')) {
      evidence.push({
        url: plain.url,
        observed: `status ${plain.status} over plain HTTP`,
        expected: `a redirect to ${origin}`,
      });
    }
    return failIfAny(evidence);
  },
});
