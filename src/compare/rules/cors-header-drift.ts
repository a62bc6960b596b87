/** Access-Control-* on the page's own answer. */

import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { presence, type Rule } from '../rule.js';

const DECIDING = new Set(['access-control-allow-origin', 'access-control-allow-credentials']);

export const corsHeaderDrift: Rule = {
  code: 'CORS_HEADER_DRIFT',
  version: 1,
  title: 'CORS headers differ',
  about:
    'An Access-Control-* header is on one side only or differs after origin mapping. Critical for Allow-Origin and Allow-Credentials, which decide whether a browser hands over the answer; otherwise a warning.',
  recommendation: 'Keep the list of allowed origins in one place and let only the hosts differ.',
  inputs: ['headers.core'],
  claims: ['access-control-*'],
  reads: ['access-control-*'],
  compare(left, right) {
    const names = sortedSet([
      ...Object.keys(left.response?.headers.accessControl ?? {}),
      ...Object.keys(right.response?.headers.accessControl ?? {}),
    ]);
    return differencesOf(names, (name) => {
      if (sameField(left, right, name)) return undefined;
      const a = left.text(name);
      const b = right.text(name);
      return {
        section: 'headers',
        key: name,
        left: a,
        right: b,
        severity: DECIDING.has(name) ? 'critical' : 'warn',
        direction: presence(a, b),
        message: `${name} is ${a ?? 'absent'} on the left and ${b ?? 'absent'} on the right`,
      };
    });
  },
};
