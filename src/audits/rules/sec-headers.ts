/** Answers tell browsers what they may not do with the page. */
import { headersOf } from '../facts/fetch-facts.js';
import { type Evidence, failIfAny, notMeasured, siteRule } from '../rule.js';

const REFERRER =
  /^(?:no-referrer(?:-when-downgrade)?|origin(?:-when-cross-origin)?|same-origin|strict-origin(?:-when-cross-origin)?|unsafe-url)$/i;

export const secHeaders = siteRule({
  id: 'sec.headers',
  title: 'Security headers are set',
  category: 'security',
  severity: 'warn',
  weight: 4,
  levels: 1,
  why: 'They are what is left when a page has a hole: no foreign scripts, no frames, no guessing of types.',
  fix: "Send Content-Security-Policy with frame-ancestors and without 'unsafe-inline' alone, X-Content-Type-Options: nosniff and Referrer-Policy.",
  inputs: { site: ['homeUrl', 'answers'] },
  check({ site: { homeUrl, answers } }) {
    const home = answers.get(homeUrl);
    if (home?.status == null) return notMeasured('the home page did not answer');
    const value = (name: string) => headersOf(home, name).join(', ');
    const csp = value('content-security-policy');
    const evidence: Evidence[] = [];
    const add = (element: string, observed: string, expected: string) =>
      evidence.push({
        url: homeUrl,
        element,
        observed: observed === '' ? 'no such header' : observed,
        expected,
      });
    if (csp === '' || isToothless(csp))
      add('Content-Security-Policy', csp, "a policy for scripts that is more than 'unsafe-inline'");
    if (value('x-content-type-options').trim().toLowerCase() !== 'nosniff')
      add('X-Content-Type-Options', value('x-content-type-options'), 'nosniff');
    const framed =
      /(?:^|[;,])\s*frame-ancestors\s/i.test(csp) ||
      /^\s*(?:deny|sameorigin)\s*$/i.test(value('x-frame-options'));
    if (!framed)
      add(
        'X-Frame-Options',
        value('x-frame-options'),
        'frame-ancestors in the policy, or DENY or SAMEORIGIN',
      );
    const policies = value('referrer-policy').split(',');
    if (!policies.some((policy) => REFERRER.test(policy.trim())))
      add('Referrer-Policy', value('referrer-policy'), 'a policy such as strict-origin-when-cross-origin');
    return failIfAny(evidence);
  },
});

/** Scripts are allowed inline and neither nonce, hash nor strict-dynamic takes that back; or nothing is said of scripts. */
function isToothless(csp: string): boolean {
  const directives = new Map(
    csp
      .toLowerCase()
      .split(/[;,]/)
      .map((each) => each.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources] as const),
  );
  const sources = directives.get('script-src') ?? directives.get('default-src');
  if (!sources) return true;
  return (
    sources.includes("'unsafe-inline'") &&
    !sources.some((source) => /^'(?:nonce-|sha\d{3}-|strict-dynamic)/.test(source))
  );
}
