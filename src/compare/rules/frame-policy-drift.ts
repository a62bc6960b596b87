/** Both sides restrict who may frame the page, but differently. */
import { NAME, type Rule, weakerBelow } from '../rule.js';
import { framePolicyOf, frameStrength } from '../security-policy.js';

export const framePolicyDrift: Rule = {
  code: 'FRAME_POLICY_DRIFT',
  version: 2,
  title: 'Framing restrictions differ',
  about:
    'The combined effect of X-Frame-Options and frame-ancestors differs. A warning if the candidate lets more or different sites frame the page.',
  recommendation: 'Send the same frame-ancestors on both sides; browsers prefer it to X-Frame-Options.',
  inputs: ['headers.extended'],
  claims: ['x-frame-options', 'content-security-policy'],
  compare(left, right) {
    const a = framePolicyOf(left);
    const b = framePolicyOf(right);
    if (a === undefined || b === undefined || a === b) return undefined;
    return {
      section: 'headers',
      key: 'frame-ancestors',
      left: a,
      right: b,
      severity: 'warn',
      direction: weakerBelow(frameStrength(a), frameStrength(b)),
      message: `The page may be framed by ${a} on ${NAME.left} and by ${b} on ${NAME.right}`,
    };
  },
};
