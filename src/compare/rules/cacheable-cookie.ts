/** A cookie on a response that shared caches may store, so one visitor's cookie can reach others. */
import { isSharedCacheable } from '../fields/cache-policy.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const cacheableCookie: Rule = {
  code: 'CACHEABLE_COOKIE',
  version: 2,
  title: 'Shared caches may store a cookie',
  about:
    'One side sets a cookie on a response that shared caches may store. Critical. If both sides do it, it is not drift.',
  recommendation:
    'Send Cache-Control: private or no-store with every cookie, or do not set cookies on shared responses.',
  inputs: ['headers.core', 'cookies'],
  claims: ['set-cookie', 'cache-control'],
  bySide: true,
  compare(left, right) {
    const names = { left: cookiesOf(left), right: cookiesOf(right) };
    if (names.left.length > 0 === names.right.length > 0) return undefined;
    const side = names.left.length > 0 ? 'left' : 'right';
    return {
      section: 'cookies',
      key: 'cookies',
      ...names,
      severity: 'critical',
      direction: weakerSide(side),
      message: `Shared caches may store the cookies of ${NAME[side]}: ${names[side].join(', ')}`,
    };
  },
};

function cookiesOf(view: SampleView): readonly string[] {
  const { cookies = [] } = view.envelope;
  if (cookies.length === 0 || !isSharedCacheable(view.cacheFields)) return [];
  return cookies.filter(({ deletes }) => !deletes).map(({ name }) => name);
}
