/** Values of the same field that differ. Data differs between environments, so this is information unless pinned. */
import type { JsonEntry } from '../../probe/index.js';
import { matchesGlob } from '../glob.js';
import { alignedEntries, entriesAt, sameStatusClass } from '../json-facts.js';
import type { Difference, Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

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
  compare(left, right, { pinned, found }) {
    if (!sameStatusClass(left, right)) return [];
    const differences: Difference[] = [];
    const see = (x: JsonEntry, y: JsonEntry) => {
      if (x.value === y.value || x.type !== y.type || x.value === undefined || y.value === undefined) return;
      if (left.sameMapped(x.value, right, y.value)) return;
      differences.push({
        section: 'body',
        key: x.pointer,
        left: x.value,
        right: y.value,
        severity: isPinned(x.pointer, pinned) ? 'warn' : 'info',
        direction: 'changed',
        message: `${x.pointer} is ${x.value} on the left and ${y.value} on the right`,
      });
    };
    const few = found && entriesAt(left, right, found);
    if (few) for (const [x, y] of few) see(x, y);
    else eachUnlike(left, right, see);
    return differences;
  },
};

function isPinned(pointer: string, pinned: readonly string[]): boolean {
  return pinned.length > 0 && pinned.some((pattern) => matchesGlob(pattern, pointer));
}

function eachUnlike(left: SampleView, right: SampleView, see: (x: JsonEntry, y: JsonEntry) => void): void {
  const aligned = alignedEntries(left, right);
  if (!aligned) return;
  for (const at of aligned.unlike) see(aligned.left[at] as JsonEntry, aligned.right[at] as JsonEntry);
}
