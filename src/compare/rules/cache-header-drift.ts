/** Cache directives that differ in meaning; order, case and blanks are ignored. */
import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import type { Directives } from '../fields/directives.js';
import type { Direction } from '../finding.js';
import { headerValues, type Rule, weakerBelow, weakerSide, weakerWithout } from '../rule.js';
import type { SampleView } from '../sample-view.js';

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
  version: 2,
  title: 'Cache directives differ',
  about:
    "A directive of Cache-Control, or of a CDN's own cache field, is on one side only or has a different value; the same for Pragma and Expires. A warning if the candidate lost the field, shortened a lifetime or otherwise differs; info if it adds the field, extends a lifetime or is stricter. Order, case and line splitting are ignored.",
  recommendation: 'Check where the directives are set: in the application, the web server or a CDN rule.',
  inputs: ['headers.core'],
  claims: NAMES,
  compare(left, right) {
    return differencesOf(NAMES, (name) => {
      if (name !== 'cache-control' && !(left.covers('headers.extended') && right.covers('headers.extended')))
        return undefined;
      if (sameField(left, right, name)) return undefined;
      const a = left.text(name);
      const b = right.text(name);
      const changed = changedDirectives(left.directives(name, ','), right.directives(name, ','));
      return {
        ...headerValues(name, a, b),
        severity: 'warn',
        direction: a === null || b === null ? weakerWithout(a, b) : directionOf(changed, left, right),
        kind: changed.join(' '),
      };
    });
  },
};

const LIFETIME = new Set(['max-age', 's-maxage', 'expires', 'no-cache']);
/** Directives that let caches serve more; the side without them is weaker. */
const HELPS = ['immutable', 'stale-while-revalidate', 'stale-if-error'];
const FORBIDS = ['no-store', 'private', 'must-revalidate', 'proxy-revalidate', 'no-transform'];

/** If only lifetimes changed, the shorter one is weaker; if only one side forbids something, the other one is. */
function directionOf(changed: readonly string[], left: SampleView, right: SampleView): Direction {
  const [a, b] = [left.cachePolicy.sharedSeconds ?? 0, right.cachePolicy.sharedSeconds ?? 0];
  if (changed.length > 0 && changed.every((name) => LIFETIME.has(name))) return weakerBelow(a, b);
  const counted = (names: readonly string[], view: SampleView) =>
    names.filter((name) => changed.includes(name) && view.directives('cache-control', ',').has(name)).length;
  if (changed.length > 0 && changed.every((name) => HELPS.includes(name))) {
    return weakerBelow(counted(HELPS, left), counted(HELPS, right));
  }
  const [x, y] = [counted(FORBIDS, left), counted(FORBIDS, right)];
  if (x > 0 && y === 0) return weakerSide('right');
  return y > 0 && x === 0 ? weakerSide('left') : 'changed';
}

function changedDirectives(a: Directives, b: Directives): readonly string[] {
  return sortedSet([...a.keys(), ...b.keys()]).filter(
    (name) => a.get(name) !== b.get(name) || a.has(name) !== b.has(name),
  );
}
