/**
 * The same hops with a different kind of redirect: 301 is cached forever, 307 preserves the method, 302 does neither.
 */
import { differencesOf } from '../differences.js';
import { NAME, type Rule } from '../rule.js';

const PERMANENT = new Set([301, 308]);
const KEEPS_METHOD = new Set([307, 308]);

export const redirectStatusDrift: Rule = {
  code: 'REDIRECT_STATUS_DRIFT',
  version: 2,
  title: 'Redirect status differs',
  about:
    'The status of a hop differs. A warning if only one is permanent or only one preserves the method; otherwise info.',
  recommendation:
    'Use the same status on both sides; browsers and search engines remember permanent redirects.',
  inputs: ['redirects'],
  compare(left, right) {
    return differencesOf(left.redirects, (hop, index) => {
      const other = right.redirects[index];
      if (!other || hop.status === other.status) return undefined;
      const matters =
        PERMANENT.has(hop.status) !== PERMANENT.has(other.status) ||
        KEEPS_METHOD.has(hop.status) !== KEEPS_METHOD.has(other.status);
      return {
        section: 'redirects',
        key: `hop ${index + 1}`,
        left: hop.status,
        right: other.status,
        severity: matters ? 'warn' : 'info',
        direction: 'changed',
        message: `Redirect ${index + 1} is a ${hop.status} on ${NAME.left} and a ${other.status} on ${NAME.right}`,
        kind: `${hop.status} ${other.status}`,
      };
    });
  },
};
