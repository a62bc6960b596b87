/** One side's policy allows what the other's blocks: the difference that matters to an attacker. */
import type { Side } from '../../probe/index.js';
import { without } from '../fields/code-unit-order.js';
import { type Difference, NAME, type Rule, valueOn, weakerSide, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { cspWeaknesses } from '../security-policy.js';

export const cspWeakened: Rule = {
  code: 'CSP_WEAKENED',
  version: 2,
  title: 'The content security policy is weaker',
  about:
    "Only one side allows 'unsafe-inline' or 'unsafe-eval' scripts, a wildcard or a whole scheme, does not restrict objects, or only reports what the other enforces. Critical.",
  recommendation:
    'Bring the weaker policy up to the stricter one; use nonces or hashes instead of unsafe-inline.',
  inputs: ['headers.extended'],
  claims: ['content-security-policy', 'content-security-policy-report-only'],
  grouped: worstAndMore,
  compare(left, right) {
    const reportOnly = reportOnlySide(left, right);
    if (reportOnly) return difference('report-only instead of enforced', reportOnly);
    if (left.csp.length === 0 || right.csp.length === 0 || left.csp === right.csp) return [];
    const a = cspWeaknesses(left.csp);
    const b = cspWeaknesses(right.csp);
    // Not sorted: weaknesses stay in the order in which they are checked.
    return [
      ...without(a, b).map((weakness) => difference(weakness, 'left')),
      ...without(b, a).map((weakness) => difference(weakness, 'right')),
    ];
  },
};

function reportOnlySide(left: SampleView, right: SampleView): Side | undefined {
  if (left.csp.length === 0 && left.cspReportOnly.length > 0 && right.csp.length > 0) return 'left';
  if (right.csp.length === 0 && right.cspReportOnly.length > 0 && left.csp.length > 0) return 'right';
  return undefined;
}

function difference(weakness: string, weaker: Side): Difference {
  return {
    section: 'headers',
    key: weakness,
    ...valueOn(weaker, weakness),
    severity: 'critical',
    direction: weakerSide(weaker),
    message: `The CSP of ${NAME[weaker]} is weaker: ${weakness}`,
    kind: weaker,
  };
}
