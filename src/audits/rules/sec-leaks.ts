/** Nothing is public that only the server should know. Asked for on verified sites alone. */
import { headerOf } from '../facts/fetch-facts.js';
import { type Evidence, failIfAny, notMeasured, siteRule } from '../rule.js';

const VERSIONED: readonly string[] = ['server', 'x-powered-by', 'x-aspnet-version', 'x-generator'];

export const secLeaks = siteRule({
  id: 'sec.leaks',
  title: 'Sources, secrets and versions are not public',
  category: 'security',
  severity: 'warn',
  weight: 5,
  levels: 1,
  why: 'A readable repository or .env hands over the site; version numbers say which holes to try.',
  fix: 'Block the path on the server, and leave version numbers out of headers.',
  inputs: { site: ['probes', 'homeUrl', 'answers'] },
  check({ site: { probes, homeUrl, answers } }) {
    if (!probes.leaks) return notMeasured('asked for on verified sites only (sonde-verify, or --own-site)');
    const evidence: Evidence[] = probes.leaks
      .filter(({ exposed }) => exposed)
      .map(({ path, kind, fetch }) => ({
        url: fetch.url,
        element: path,
        observed: `readable: ${kind}`,
        expected: 'status 404 or 403',
      }));
    const home = answers.get(homeUrl);
    for (const name of home ? VERSIONED : []) {
      const value = home ? headerOf(home, name) : null;
      if (value !== null && /\d\.\d/.test(value)) {
        evidence.push({ url: homeUrl, element: name, observed: value, expected: 'no version number' });
      }
    }
    return failIfAny(evidence);
  },
});
