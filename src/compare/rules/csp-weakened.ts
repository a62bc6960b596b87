/** One side's policy lets through what the other's stops: the difference that matters to an attacker. */
import type { Side } from '../../probe/index.js';
import { joined } from '../differences.js';
import { without } from '../fields/code-unit-order.js';
import { type Difference, type Rule, type RuleContext, severityOfWeaker, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { cspWeaknesses } from '../security-policy.js';

export const cspWeakened: Rule = {
  code: 'CSP_WEAKENED',
  version: 1,
  title: 'One side has the weaker content security policy',
  about:
    "One side alone allows 'unsafe-inline' or 'unsafe-eval' scripts, a wildcard or a whole scheme, leaves objects open, or only reports what the other enforces. Critical when the protected side is the weaker, otherwise a warning.",
  recommendation:
    'Bring the weaker policy up to the stricter one; use nonces or hashes instead of unsafe-inline.',
  inputs: ['headers.extended'],
  claims: ['content-security-policy', 'content-security-policy-report-only'],
  reads: ['content-security-policy', 'content-security-policy-report-only'],
  grouped: (count) => `One side has the weaker content security policy in ${count} respects`,
  compare(left, right, context) {
    const reportOnly = reportOnlySide(left, right);
    if (reportOnly) return [difference('report-only instead of enforced', reportOnly, context)];
    if (left.csp.length === 0 || right.csp.length === 0 || left.csp === right.csp) return [];
    const a = cspWeaknesses(left.csp);
    const b = cspWeaknesses(right.csp);
    // Without an order of its own: weaknesses are listed as they are looked for.
    return joined(
      without(a, b).map((weakness) => difference(weakness, 'left', context)),
      without(b, a).map((weakness) => difference(weakness, 'right', context)),
    );
  },
};

function reportOnlySide(left: SampleView, right: SampleView): Side | undefined {
  if (left.csp.length === 0 && left.cspReportOnly.length > 0 && right.csp.length > 0) return 'left';
  if (right.csp.length === 0 && right.cspReportOnly.length > 0 && left.csp.length > 0) return 'right';
  return undefined;
}

function difference(weakness: string, weaker: Side, context: RuleContext): Difference {
  return {
    section: 'headers',
    key: weakness,
    left: weaker === 'left' ? weakness : null,
    right: weaker === 'right' ? weakness : null,
    severity: severityOfWeaker(weaker, context),
    direction: weakerSide(weaker),
    message: `Only the ${weaker} side's policy is weak: ${weakness}`,
    kind: weaker,
  };
}
