/** Checks the headers that limit what browsers do with the page. Findings name headers, not their values. */
import { headersOf } from '../facts/fetch-facts.js';
import { type Evidence, failIfAny, siteRule } from '../rule.js';
import { homeResponse } from './home-response.js';

const REFERRER =
  /^(?:no-referrer(?:-when-downgrade)?|origin(?:-when-cross-origin)?|same-origin|strict-origin(?:-when-cross-origin)?|unsafe-url)$/i;
/** Content security policy, MIME sniffing, framing and referrer. */
const HEADERS_JUDGED = 4;

export const secHeaders = siteRule({
  id: 'sec.headers',
  title: '{n} security {header is|headers are} missing or weak',
  passTitle: 'Security headers are set',
  category: 'security',
  severity: 'warn',
  weight: 4,
  why: 'They limit the damage of a vulnerability: no foreign scripts, no framing, no content type sniffing.',
  fix: "Send Content-Security-Policy with frame-ancestors and without a bare 'unsafe-inline', X-Content-Type-Options: nosniff, and Referrer-Policy.",
  inputs: { site: ['homeUrl', 'responses'] },
  check({ site: { homeUrl, responses } }) {
    const { home, unmeasured } = homeResponse({ homeUrl, responses });
    if (unmeasured) return unmeasured;
    const value = (name: string) => headersOf(home, name).join(', ');
    const evidence: Evidence[] = [];
    const add = (element: string, fault: string, expected: string) => {
      const isMissing = value(element.toLowerCase()) === '';
      const observed = isMissing ? `${element} is missing` : `${element} ${fault}`;
      evidence.push({ url: homeUrl, element, observed, expected });
    };
    const csp = value('content-security-policy');
    const weakness = csp === '' ? '' : weaknessOf(csp);
    if (weakness !== undefined)
      add('Content-Security-Policy', weakness, "a policy for scripts that is more than 'unsafe-inline'");
    if (value('x-content-type-options').trim().toLowerCase() !== 'nosniff')
      add('X-Content-Type-Options', 'is not nosniff', 'nosniff');
    const framed =
      /(?:^|[;,])\s*frame-ancestors\s/i.test(csp) ||
      /^\s*(?:deny|sameorigin)\s*$/i.test(value('x-frame-options'));
    if (!framed)
      add(
        'X-Frame-Options',
        'is neither DENY nor SAMEORIGIN',
        'frame-ancestors in the policy, or DENY or SAMEORIGIN',
      );
    const policies = value('referrer-policy').split(',');
    if (!policies.some((policy) => REFERRER.test(policy.trim())))
      add('Referrer-Policy', 'is not a known policy', 'a policy such as strict-origin-when-cross-origin');
    return failIfAny(evidence, { of: HEADERS_JUDGED });
  },
});

/** The weakness of a policy: inline scripts without nonce, hash or strict-dynamic, or no restriction of scripts. */
function weaknessOf(csp: string): string | undefined {
  const directives = new Map(
    csp
      .toLowerCase()
      .split(/[;,]/)
      .map((each) => each.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources] as const),
  );
  const sources = directives.get('script-src') ?? directives.get('default-src');
  if (!sources) return 'does not restrict scripts';
  const isOpen =
    sources.includes("'unsafe-inline'") &&
    !sources.some((source) => /^'(?:nonce-|sha\d{3}-|strict-dynamic)/.test(source));
  return isOpen ? 'allows inline scripts' : undefined;
}
