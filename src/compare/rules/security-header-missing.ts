/** One of the three main security headers is on one side only. */
import { differencesOf } from '../differences.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { framePolicyOf, isHttps } from '../security-policy.js';

interface Protection {
  readonly key: string;
  /** undefined if it does not apply to this side. */
  readonly has: (view: SampleView) => boolean | undefined;
  readonly read: (view: SampleView) => string | null;
}

const PROTECTIONS: readonly Protection[] = [
  {
    key: 'content-security-policy',
    has: (view) => view.lines('content-security-policy') !== undefined,
    read: (view) => view.text('content-security-policy'),
  },
  {
    key: 'strict-transport-security',
    has: (view) => (isHttps(view) ? view.lines('strict-transport-security') !== undefined : undefined),
    read: (view) => view.text('strict-transport-security'),
  },
  {
    key: 'frame-control',
    has: (view) => framePolicyOf(view) !== undefined,
    read: (view) => framePolicyOf(view) ?? null,
  },
];

export const securityHeaderMissing: Rule = {
  code: 'SECURITY_HEADER_MISSING',
  version: 2,
  title: 'A security header is missing',
  about:
    'Content-Security-Policy, Strict-Transport-Security or the control over framing (X-Frame-Options or frame-ancestors) is missing on the candidate but sent by the reference. Critical.',
  recommendation:
    'Send the header on both sides; find out whether the CDN, the web server or the application sets it.',
  inputs: ['headers.extended'],
  claims: ['content-security-policy', 'strict-transport-security', 'x-frame-options'],
  compare(left, right) {
    return differencesOf(PROTECTIONS, ({ key, has, read }) => {
      const onLeft = has(left);
      const onRight = has(right);
      if (onLeft === undefined || onRight === undefined || onLeft === onRight) return undefined;
      const weaker = onLeft ? 'right' : 'left';
      return {
        section: 'headers',
        key,
        left: read(left),
        right: read(right),
        severity: 'critical',
        direction: weakerSide(weaker),
        message: `${NAME[weaker]} lacks ${key === 'frame-control' ? 'control over framing' : key}`,
      };
    });
  },
};
