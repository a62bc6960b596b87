/** What one side keeps out of shared caches, the other lets them store. */
import { isSharedCacheable } from '../fields/cache-policy.js';
import { type Rule, weakerSide } from '../rule.js';

export const cacheScopeDrift: Rule = {
  code: 'CACHE_SCOPE_DRIFT',
  version: 1,
  title: 'Shared caches may store one side only',
  about:
    'One side says no-store or private, the other lets shared caches store the answer. Critical: personal answers may reach others, or a CDN no longer helps.',
  recommendation: 'Decide who may store this answer and say it in Cache-Control on both sides.',
  inputs: ['headers.core'],
  claims: ['cache-control'],
  compare(left, right) {
    const scopes = [left.cachePolicy.scope, right.cachePolicy.scope] as const;
    const open = [isSharedCacheable(left.cacheFields), isSharedCacheable(right.cacheFields)] as const;
    const weaker =
      open[0] && scopes[1] !== 'shared' ? 'left' : open[1] && scopes[0] !== 'shared' ? 'right' : undefined;
    if (!weaker) return [];
    return [
      {
        section: 'headers',
        key: 'cache-control',
        left: left.text('cache-control'),
        right: right.text('cache-control'),
        severity: 'critical',
        direction: weakerSide(weaker),
        message: `Shared caches may store the answer of the ${weaker} side only`,
        kind: scopes.join(' '),
      },
    ];
  },
};
