/** A response that one side keeps out of shared caches and the other lets them store. */
import { isSharedCacheable } from '../fields/cache-policy.js';
import { NAME, otherSide, type Rule, weakerSide } from '../rule.js';

export const cacheScopeDrift: Rule = {
  code: 'CACHE_SCOPE_DRIFT',
  version: 2,
  title: 'Shared caches may store a private response',
  about:
    'The reference sends no-store or private, but the candidate lets shared caches store the response: critical, because personal responses may reach other users. A stricter candidate is info.',
  recommendation:
    'Decide which caches may store this response, and send the same Cache-Control on both sides.',
  inputs: ['headers.core'],
  claims: ['cache-control'],
  compare(left, right) {
    const scopes = [left.cachePolicy.scope, right.cachePolicy.scope] as const;
    const open = [isSharedCacheable(left.cacheFields), isSharedCacheable(right.cacheFields)] as const;
    const weaker =
      open[0] && scopes[1] !== 'shared' ? 'left' : open[1] && scopes[0] !== 'shared' ? 'right' : undefined;
    if (!weaker) return undefined;
    return {
      section: 'headers',
      key: 'cache-control',
      left: left.text('cache-control'),
      right: right.text('cache-control'),
      severity: 'critical',
      direction: weakerSide(weaker),
      message: `Shared caches may store the response of ${NAME[weaker]}, but not that of ${NAME[otherSide(weaker)]}`,
      kind: scopes.join(' '),
    };
  },
};
