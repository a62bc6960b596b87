/** Values of the same field that differ. Data differs between environments, so this is information unless pinned. */
import { matchesGlob } from '../glob.js';
import { alignEntries, entriesOf, sameStatusClass } from '../json-facts.js';
import type { Difference, Rule } from '../rule.js';

export const jsonValueDrift: Rule = {
  code: 'JSON_VALUE_DRIFT',
  version: 1,
  title: 'Other JSON values',
  about:
    'The same field holds another value after origin mapping. Information; a warning where the pointer was pinned. Values that change from sample to sample are marked as noise.',
  recommendation:
    'Pin the pointers whose values must agree (feature flags, versions, limits), ignore the rest.',
  inputs: ['body.content'],
  claims: [],
  grouped: (count) => `${count} JSON values differ`,
  compare(left, right, { pinned }) {
    const a = entriesOf(left);
    const b = entriesOf(right);
    if (!a || !b || !sameStatusClass(left, right)) return [];
    const differences: Difference[] = [];
    for (const [x, y] of alignEntries(a, b).pairs) {
      if (x.value === y.value || x.type !== y.type || x.value === undefined || y.value === undefined)
        continue;
      if (left.map(x.value) === right.map(y.value)) continue;
      differences.push({
        section: 'body',
        key: x.pointer,
        left: x.value,
        right: y.value,
        severity: pinned.some((pattern) => matchesGlob(pattern, x.pointer)) ? 'warn' : 'info',
        direction: 'changed',
        message: `${x.pointer} is ${x.value} on the left and ${y.value} on the right`,
      });
    }
    return differences;
  },
};
