import type { Rule } from '../rule.js';

/** The final status differs. */
export const statusMismatch: Rule = {
  code: 'STATUS_MISMATCH',
  version: 1,
  title: 'Different status',
  about: 'The final status differs: critical across classes (2xx, 3xx, 4xx, 5xx), a warning within one.',
  recommendation:
    'Find out which side answers as intended: a missing route, another configuration, a failing dependency.',
  inputs: ['status'],
  claims: [],
  parts: ['status'],
  compare(left, right) {
    const a = left.response?.status;
    const b = right.response?.status;
    if (a === undefined || b === undefined || a === b) return [];
    const across = Math.floor(a / 100) !== Math.floor(b / 100);
    return [
      {
        section: 'status',
        key: '',
        left: a,
        right: b,
        severity: across ? 'critical' : 'warn',
        direction: a >= 400 && b < 400 ? 'left_weaker' : b >= 400 && a < 400 ? 'right_weaker' : 'changed',
        message: `Left answers ${a}, right ${b}`,
        kind: `${a} ${b}`,
      },
    ];
  },
};
