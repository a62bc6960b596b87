/** Cookies carry the flags that keep them from others. */
import type { CookieFacts } from '../facts/fetch-facts.js';
import { type Evidence, failIfAny, notApplicable, siteRule } from '../rule.js';

export const secCookies = siteRule({
  id: 'sec.cookies',
  title: 'Cookies are protected',
  category: 'security',
  severity: 'warn',
  weight: 3,
  levels: 1,
  why: 'A cookie without Secure travels in clear, one without HttpOnly can be read by scripts, one without SameSite goes along with requests of other sites.',
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
    return failIfAny([...seen.values()].filter((each) => each !== undefined));
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
    element: `Set-Cookie: ${name}`,
    observed: `without ${missing.join(', ')}`,
    expected: 'Secure, HttpOnly and SameSite',
  };
}
