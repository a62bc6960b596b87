/** Browsers are told to come by https only. */
import { headerOf } from '../facts/fetch-facts.js';
import { fail, notApplicable, notMeasured, pass, siteRule } from '../rule.js';

const SECONDS_MIN = 15_768_000;

export const secHsts = siteRule({
  id: 'sec.hsts',
  title: 'Browsers are told to use https',
  category: 'security',
  severity: 'warn',
  weight: 4,
  levels: 1,
  why: 'Without HSTS the first request of every visit can be caught on its way over http.',
  fix: 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains.',
  inputs: { site: ['homeUrl', 'answers'] },
  check({ site: { homeUrl, answers } }) {
    if (!homeUrl.startsWith('https:')) return notApplicable('the header counts over https only');
    const home = answers.get(homeUrl);
    if (home?.status == null) return notMeasured('the home page did not answer');
    const value = headerOf(home, 'strict-transport-security');
    const seconds = Number(/(?:^|;)\s*max-age\s*=\s*"?(\d+)/i.exec(value ?? '')?.[1] ?? 0);
    if (seconds >= SECONDS_MIN) return pass;
    return fail({
      url: homeUrl,
      element: 'Strict-Transport-Security',
      observed: value ?? 'no such header',
      expected: `max-age of at least ${SECONDS_MIN}`,
    });
  },
});
