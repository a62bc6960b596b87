/** Checks that cookies have the flags that protect them. Findings name cookies; their values are never recorded. */
import type { CookieFacts } from '../facts/fetch-facts.js';
import { type Evidence, failIfAny, notApplicable, siteRule } from '../rule.js';

export const secCookies = siteRule({
  id: 'sec.cookies',
  title: '{n} {cookie lacks|cookies lack} security attributes',
  passTitle: 'Cookies have their security attributes',
  category: 'security',
  severity: 'warn',
  weight: 3,
  why: 'A cookie without Secure is sent in clear text, one without HttpOnly can be read by scripts, and one without SameSite is sent with requests from other sites.',
  fix: 'Set Secure, HttpOnly and SameSite=Lax (or Strict).',
  inputs: { pages: ['fetch'] },
  check({ pages }) {
    const seen = new Map<string, Evidence | undefined>();
    for (const { url, fetch } of pages) {
      for (const cookie of fetch?.cookies ?? []) {
        if (!seen.has(cookie.name)) seen.set(cookie.name, judge(url, cookie));
      }
    }
    if (seen.size === 0) return notApplicable('the site sets no cookies');
    return failIfAny(
      [...seen.values()].filter((each) => each !== undefined),
      { of: seen.size },
    );
  },
});

function judge(url: string, { name, secure, httpOnly, sameSite }: CookieFacts): Evidence | undefined {
  const missing = [
    !secure && url.startsWith('https:') && 'Secure',
    !httpOnly && 'HttpOnly',
    sameSite === null && 'SameSite',
  ].filter((flag) => flag !== false);
  if (missing.length === 0) return undefined;
  return {
    url,
    element: `cookie ${name}`,
    observed: `cookie ${name} lacks ${missing.join(', ')}`,
    expected: 'Secure, HttpOnly and SameSite',
  };
}
