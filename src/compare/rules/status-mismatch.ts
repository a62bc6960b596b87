import { NAME, type Rule, weakerBelow } from '../rule.js';

/** The final status of the sides differs. */
export const statusMismatch: Rule = {
  code: 'STATUS_MISMATCH',
  version: 2,
  title: 'Status differs',
  about:
    'The final status differs: critical across classes (2xx, 3xx, 4xx, 5xx), a warning within one. An error on the reference that the candidate does not have is info, except 401, 403 and 407: losing one may expose what was protected.',
  recommendation:
    'Find out which side is right; look for a missing route, a different configuration or a failing dependency.',
  inputs: ['status'],
  compare(left, right) {
    const a = left.response?.status;
    const b = right.response?.status;
    if (a === undefined || b === undefined || a === b) return undefined;
    const across = Math.floor(a / 100) !== Math.floor(b / 100);
    return {
      section: 'status',
      key: '',
      left: a,
      right: b,
      severity: across ? 'critical' : 'warn',
      direction: isGate(a) || isGate(b) ? 'changed' : weakerBelow(-faultOf(a), -faultOf(b)),
      message: `${NAME.left} returns ${a}, ${NAME.right} ${b}`,
      kind: `${a} ${b}`,
    };
  },
};

/** Statuses of a side that requires a login: more restricted, not worse. */
function isGate(status: number): boolean {
  return status === 401 || status === 403 || status === 407;
}

/** 0 for a usable response, 4 or 5 for an error. */
function faultOf(status: number): number {
  return status < 400 ? 0 : Math.floor(status / 100);
}
