/** Values of the same field that differ. Data differs between environments, so this is information unless pinned. */
import type { JsonEntry } from '../../probe/index.js';
import { differencesOf } from '../differences.js';
import { alignedEntries, sameStatusClass } from '../json-facts.js';
import { bothValues, type Rule, worstAndMore } from '../rule.js';

export const jsonValueDrift: Rule = {
  code: 'JSON_VALUE_DRIFT',
  version: 2,
  title: 'JSON values differ',
  about:
    'A field has a different value after origin mapping. Info; a warning if the pointer is pinned. Values that change from sample to sample are marked as noise.',
  recommendation:
    'Pin the pointers whose values must match (feature flags, versions, limits), and ignore the rest.',
  inputs: ['body.content'],
  grouped: worstAndMore,
  compare(left, right, { isPinned }) {
    const aligned = sameStatusClass(left, right) ? alignedEntries(left, right) : undefined;
    if (!aligned) return undefined;
    return differencesOf(aligned.unlike, (at) => {
      const { pointer, type, value: a } = aligned.left[at] as JsonEntry;
      const { type: otherType, value: b } = aligned.right[at] as JsonEntry;
      if (type !== otherType || a === undefined || b === undefined) return undefined;
      if (left.sameMapped(a, right, b)) return undefined;
      return {
        section: 'body',
        key: pointer,
        left: a,
        right: b,
        severity: isPinned(pointer) ? 'warn' : 'info',
        direction: 'changed',
        message: bothValues(pointer || 'The document', a, b),
      };
    });
  },
};
