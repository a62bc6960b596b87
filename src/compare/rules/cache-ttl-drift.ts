/** How long a shared cache may use the response. Who may store it is another rule's. */
import { durationText } from '../duration-text.js';
import { NAME, type Rule, weakerBelow } from '../rule.js';

const RATIO = 10;
/** Expires is written in whole seconds and against a clock that runs on. */
const SLACK_SECONDS = 2;

export const cacheTtlDrift: Rule = {
  code: 'CACHE_TTL_DRIFT',
  version: 2,
  title: 'Cache lifetimes differ',
  about:
    'The freshness lifetime in a shared cache, from s-maxage, max-age or Expires, differs while both sides let the same caches store the response. A warning where the candidate is fresh for no time or a tenth of the time, otherwise information.',
  recommendation: 'Set the lifetime in one place; short on staging is common and can be ignored by rule.',
  inputs: ['headers.core'],
  claims: ['cache-control', 'expires'],
  compare(left, right) {
    const a = left.cachePolicy.sharedSeconds;
    const b = right.cachePolicy.sharedSeconds;
    if (left.cachePolicy.scope !== right.cachePolicy.scope) return [];
    if (a === undefined || b === undefined || Math.abs(a - b) <= SLACK_SECONDS) return [];
    const [small, large] = a < b ? [a, b] : [b, a];
    return [
      {
        section: 'headers',
        key: 'lifetime',
        left: a,
        right: b,
        severity: small === 0 || large / small >= RATIO ? 'warn' : 'info',
        direction: weakerBelow(a, b),
        message: `Responses are fresh for ${durationText(a)} on ${NAME.left} and ${durationText(b)} on ${NAME.right}`,
        kind: small === 0 ? 'zero' : '',
      },
    ];
  },
};
