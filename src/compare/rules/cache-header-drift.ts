/** Cache directives that differ in meaning; order, case and blanks do not. */

import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import type { Directives } from '../fields/directives.js';
import { presence, type Rule } from '../rule.js';

const NAMES = [
  'cache-control',
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'surrogate-control',
  'pragma',
  'expires',
];

export const cacheHeaderDrift: Rule = {
  code: 'CACHE_HEADER_DRIFT',
  version: 1,
  title: 'Cache directives differ',
  about:
    'A directive of Cache-Control (or of the fields for CDNs) is on one side only or has another value, or Pragma or Expires is. A warning. Order, case and the way lines are split never count.',
  recommendation: 'Compare where the directives are set: application, web server or CDN rule.',
  inputs: ['headers.core'],
  claims: NAMES,
  reads: NAMES,
  compare(left, right) {
    return differencesOf(NAMES, (name) => {
      if (name !== 'cache-control' && !(left.covers('headers.extended') && right.covers('headers.extended')))
        return undefined;
      if (sameField(left, right, name)) return undefined;
      const a = left.text(name);
      const b = right.text(name);
      const changed = changedDirectives(left.directives(name, ','), right.directives(name, ','));
      return {
        section: 'headers',
        key: name,
        left: a,
        right: b,
        severity: 'warn',
        direction: presence(a, b),
        message: `${name} differs${a === null || b === null ? '' : ` in ${changed.join(', ')}`}`,
        kind: changed.join(' '),
      };
    });
  },
};

function changedDirectives(a: Directives, b: Directives): readonly string[] {
  return sortedSet([...a.keys(), ...b.keys()]).filter(
    (name) => a.get(name) !== b.get(name) || a.has(name) !== b.has(name),
  );
}
