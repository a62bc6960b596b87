/** How long a shared cache may use the response. CACHE_SCOPE_DRIFT covers who may store it. */
import { durationText } from '../duration-text.js';
import { NAME, type Rule, weakerBelow } from '../rule.js';

const RATIO = 10;
/** Expires has whole seconds and is computed from a running clock. */
const SLACK_SECONDS = 2;

export const cacheTtlDrift: Rule = {
  code: 'CACHE_TTL_DRIFT',
  version: 2,
  title: 'Cache lifetimes differ',
  about:
    "The freshness lifetime in a shared cache, from s-maxage, max-age or Expires, differs although both sides let the same caches store the response. A warning if the candidate's lifetime is zero or at most a tenth, otherwise info.",
  recommendation:
    'Set the lifetime in one place. Short lifetimes are common on staging and can be ignored with --ignore.',
  inputs: ['headers.core'],
  claims: ['cache-control', 'expires'],
  compare(left, right) {
    const a = left.cachePolicy.sharedSeconds;
    const b = right.cachePolicy.sharedSeconds;
    if (left.cachePolicy.scope !== right.cachePolicy.scope) return undefined;
    if (a === undefined || b === undefined || Math.abs(a - b) <= SLACK_SECONDS) return undefined;
    const [small, large] = a < b ? [a, b] : [b, a];
    return {
      section: 'headers',
      key: 'lifetime',
      left: a,
      right: b,
      severity: small === 0 || large / small >= RATIO ? 'warn' : 'info',
      direction: weakerBelow(a, b),
      message: `Responses are fresh for ${durationText(a)} on ${NAME.left} and ${durationText(b)} on ${NAME.right}`,
      kind: small === 0 ? 'zero' : '',
    };
  },
};
