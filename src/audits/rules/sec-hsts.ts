/** Checks that the site tells browsers to use HTTPS only. */
import { headerOf } from '../facts/fetch-facts.js';
import { fail, notApplicable, pass, siteRule } from '../rule.js';
import { homeResponse } from './home-response.js';

const SECONDS_MIN = 15_768_000;

export const secHsts = siteRule({
  id: 'sec.hsts',
  title: 'HSTS is missing or too short',
  passTitle: 'HSTS is set',
  category: 'security',
  severity: 'warn',
  weight: 4,
  why: 'Without HSTS, the first request of a visit can be intercepted over plain HTTP.',
  fix: 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains.',
  inputs: { site: ['homeUrl', 'responses'] },
  check({ site: { homeUrl, responses } }) {
    if (!homeUrl.startsWith('https:')) return notApplicable('the header only has an effect over HTTPS');
    const { home, unmeasured } = homeResponse({ homeUrl, responses });
    if (unmeasured) return unmeasured;
    const value = headerOf(home, 'strict-transport-security');
    const seconds = Number(/(?:^|;)\s*max-age\s*=\s*"?(\d{1,12})/i.exec(value ?? '')?.[1] ?? 0);
    if (seconds >= SECONDS_MIN) return pass;
    return fail({
      url: homeUrl,
      element: 'Strict-Transport-Security',
      observed: value === null ? 'Strict-Transport-Security is missing' : `max-age is ${seconds} seconds`,
      expected: `max-age of at least ${SECONDS_MIN} seconds`,
    });
  },
});
