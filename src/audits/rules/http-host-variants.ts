/** Checks that http and https, with and without www, all lead to one host. */
import { failIfAny, notApplicable, siteRule } from '../rule.js';

export const httpHostVariants = siteRule({
  id: 'http.host-variants',
  title: '{n} {variant of the host does|variants of the host do} not redirect to the site',
  passTitle: 'All variants of the host redirect to one',
  category: 'crawl',
  severity: 'warn',
  weight: 6,
  why: 'A site that responds under several hosts competes with its own copies.',
  fix: 'Redirect every variant to one origin with 301 or 308.',
  inputs: { site: ['probes', 'origin'] },
  check({ site: { probes, origin } }) {
    // A host that does not respond is not a copy.
    const responding = probes.hostVariants.filter(({ status }) => status !== null && status < 400);
    if (responding.length === 0) return notApplicable('no other variant of the host responds');
    const astray = responding.filter(({ finalUrl }) => new URL(finalUrl).origin !== origin);
    return failIfAny(
      astray.map(({ url, finalUrl, status }) => ({
        url,
        observed: `ends at ${new URL(finalUrl).origin} with status ${status}`,
        expected: `a redirect to ${origin}`,
      })),
    );
  },
});
