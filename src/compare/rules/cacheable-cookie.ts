/** A cookie on an answer that shared caches may store: one reader's cookie for all. */

import { differencesOfSides } from '../differences.js';
import { isSharedCacheable } from '../fields/cache-policy.js';
import { type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const cacheableCookie: Rule = {
  code: 'CACHEABLE_COOKIE',
  version: 1,
  title: 'A cookie in a shared cache',
  about:
    'Set-Cookie on an answer that shared caches may store. Critical on one side; information when both sides do it, which is then no drift.',
  recommendation:
    'Send Cache-Control: private or no-store with every cookie, or do not set cookies on shared answers.',
  inputs: ['headers.core', 'cookies'],
  claims: ['set-cookie', 'cache-control'],
  sampled: true,
  compare(left, right) {
    const names = { left: cookiesOf(left), right: cookiesOf(right) };
    const both = names.left.length > 0 && names.right.length > 0;
    return differencesOfSides((side) => {
      if (names[side].length === 0 || (both && side === 'left')) return undefined;
      return {
        section: 'cookies',
        key: both ? 'both' : side,
        left: names.left,
        right: names.right,
        severity: both ? 'info' : 'critical',
        direction: both ? 'changed' : weakerSide(side),
        message: `Shared caches may store the cookies of ${both ? 'both sides' : `the ${side} side`}`,
      };
    });
  },
};

const NO_COOKIES: readonly string[] = [];

function cookiesOf(view: SampleView): readonly string[] {
  const { cookies } = view.envelope;
  if (!cookies || cookies.length === 0 || !isSharedCacheable(view.cacheFields)) return NO_COOKIES;
  return cookies.filter(({ deletes }) => !deletes).map(({ name }) => name);
}
