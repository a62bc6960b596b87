/** One of the three headers that carry a page's protection is on one side only. */
import { type Difference, type Rule, severityOfWeaker, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { framePolicyOf, isHttps } from '../security-policy.js';

interface Protection {
  readonly key: string;
  /** undefined: it does not apply to this side. */
  readonly read: (view: SampleView) => string | null | undefined;
}

const PROTECTIONS: readonly Protection[] = [
  { key: 'content-security-policy', read: (view) => view.text('content-security-policy') },
  {
    key: 'strict-transport-security',
    read: (view) => (isHttps(view) ? view.text('strict-transport-security') : undefined),
  },
  { key: 'frame-control', read: (view) => framePolicyOf(view) ?? null },
];

export const securityHeaderMissing: Rule = {
  code: 'SECURITY_HEADER_MISSING',
  version: 1,
  title: 'A protection is missing on one side',
  about:
    'Content-Security-Policy, Strict-Transport-Security or the control over framing (X-Frame-Options or frame-ancestors) is sent by one side only. Critical when the protected side lacks it, otherwise a warning.',
  recommendation:
    'Send the header on both sides; it is usually set by only one of CDN, web server and application.',
  inputs: ['headers.extended'],
  claims: ['content-security-policy', 'strict-transport-security', 'x-frame-options'],
  compare(left, right, context) {
    return PROTECTIONS.flatMap(({ key, read }): Difference[] => {
      const a = read(left);
      const b = read(right);
      if (a === undefined || b === undefined || (a === null) === (b === null)) return [];
      const weaker = a === null ? 'left' : 'right';
      return [
        {
          section: 'headers',
          key,
          left: a,
          right: b,
          severity: severityOfWeaker(weaker, context),
          direction: weakerSide(weaker),
          message: `The ${weaker} side lacks ${key}`,
        },
      ];
    });
  },
};
