/** Values of the same field that differ. Data differs between environments, so this is information unless pinned. */
import type { JsonEntry } from '../../probe/index.js';
import { matchesGlob } from '../glob.js';
import { alignedEntries, sameStatusClass } from '../json-facts.js';
import { bothValues, type Difference, type Rule, worstAndMore } from '../rule.js';

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
  compare(left, right, { pinned }) {
    if (!sameStatusClass(left, right)) return [];
    const differences: Difference[] = [];
    const compareEntries = (x: JsonEntry, y: JsonEntry) => {
      if (x.value === y.value || x.type !== y.type || x.value === undefined || y.value === undefined) return;
      if (left.sameMapped(x.value, right, y.value)) return;
      differences.push({
        section: 'body',
        key: x.pointer,
        left: x.value,
        right: y.value,
        severity: isPinned(x.pointer, pinned) ? 'warn' : 'info',
        direction: 'changed',
        message: bothValues(x.pointer || 'The document', x.value, y.value),
      });
    };
    const aligned = alignedEntries(left, right);
    for (const at of aligned?.unlike ?? []) {
      compareEntries(aligned?.left[at] as JsonEntry, aligned?.right[at] as JsonEntry);
    }
    return differences;
  },
};

function isPinned(pointer: string, pinned: readonly string[]): boolean {
  return pinned.length > 0 && pinned.some((pattern) => matchesGlob(pattern, pointer));
}
