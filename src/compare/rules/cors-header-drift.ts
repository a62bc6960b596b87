/** Access-Control-* on the response itself. */
import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { tokenSet } from '../fields/list-field.js';
import type { Direction } from '../finding.js';
import { headerValues, type Rule, weakerSide, weakerSubset } from '../rule.js';

const DECIDING = new Set(['access-control-allow-origin', 'access-control-allow-credentials']);

export const corsHeaderDrift: Rule = {
  code: 'CORS_HEADER_DRIFT',
  version: 3,
  title: 'CORS headers differ',
  about:
    'An Access-Control-* header is on one side only or differs after origin mapping. Critical for Allow-Origin and Allow-Credentials, which decide whether a browser exposes the response to scripts; otherwise a warning. A candidate that allows a specific origin where the reference allows none or all, or that allows more methods and headers, is info.',
  recommendation: 'Keep the list of allowed origins in one place, and let only the hosts differ.',
  inputs: ['headers.core'],
  claims: ['access-control-*'],
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
        ...headerValues(name, a, b),
        severity: DECIDING.has(name) ? 'critical' : 'warn',
        direction: directionOf(name, a, b),
      };
    });
  },
};

/**
 * A specific origin is best: none breaks clients, `*` allows everyone, and `null` allows any sandboxed page. Among
 * these three, and for credentials, neither side is better. A side whose list of methods or headers is part of the
 * other one is weaker.
 */
function directionOf(name: string, a: string | null, b: string | null): Direction {
  if (name === 'access-control-allow-origin') {
    const named = [isNamed(a), isNamed(b)] as const;
    return named[0] === named[1] ? 'changed' : weakerSide(named[0] ? 'right' : 'left');
  }
  if (DECIDING.has(name) || name === 'access-control-max-age') return 'changed';
  return weakerSubset(tokenSet(a === null ? [] : [a]), tokenSet(b === null ? [] : [b]));
}

function isNamed(origin: string | null): boolean {
  return origin !== null && origin.trim() !== '*' && origin.trim().toLowerCase() !== 'null';
}
