/** How long a shared cache may use the answer. */
import type { Rule } from '../rule.js';

const RATIO = 10;
/** Expires is written in whole seconds and against a clock that runs on. */
const SLACK_SECONDS = 2;

export const cacheTtlDrift: Rule = {
  code: 'CACHE_TTL_DRIFT',
  version: 1,
  title: 'Answers stay fresh for another time',
  about:
    'The freshness lifetime in a shared cache, from s-maxage, max-age or Expires, differs: a warning when one is zero or ten times the other, otherwise information.',
  recommendation: 'Set the lifetime in one place; short on staging is common and can be ignored by rule.',
  inputs: ['headers.core'],
  claims: ['cache-control', 'expires'],
  compare(left, right) {
    const a = left.cachePolicy.sharedSeconds;
    const b = right.cachePolicy.sharedSeconds;
    if (a === undefined || b === undefined || Math.abs(a - b) <= SLACK_SECONDS) return [];
    const [small, large] = a < b ? [a, b] : [b, a];
    return [
      {
        section: 'headers',
        key: 'lifetime',
        left: a,
        right: b,
        severity: small === 0 || large / small >= RATIO ? 'warn' : 'info',
        direction: 'changed',
        message: `Answers are fresh for ${a} s on the left and ${b} s on the right`,
        kind: small === 0 ? 'zero' : '',
      },
    ];
  },
};
