/** The same fields in a different order. */
import type { JsonEntry } from '../../probe/index.js';
import { alignedEntries, entriesOf, sameStatusClass } from '../json-facts.js';
import type { Rule } from '../rule.js';

export const jsonOrderDrift: Rule = {
  code: 'JSON_ORDER_DRIFT',
  version: 2,
  title: 'JSON field order differs',
  about:
    'An object has the same fields on both sides in a different order. Info: JSON ignores the order, but naive clients and signatures may not.',
  recommendation: 'Nothing to do unless something signs or hashes the text.',
  inputs: ['body.content'],
  compare(left, right) {
    const a = entriesOf(left);
    const b = entriesOf(right);
    if (!a || !b || !sameStatusClass(left, right)) return undefined;
    if (alignedEntries(left, right)?.identicalOrder) return undefined;
    const first = firstReordered(a, b);
    if (first === undefined) return undefined;
    return {
      section: 'body',
      key: first,
      left: childrenOf(a, first),
      right: childrenOf(b, first),
      severity: 'info',
      direction: 'changed',
      message: `The fields of ${first || 'the document'} are in a different order`,
    };
  },
};

/** The first object whose common fields are in a different order. */
function firstReordered(a: readonly JsonEntry[], b: readonly JsonEntry[]): string | undefined {
  const place = new Map(b.map(({ pointer }, index) => [pointer, index]));
  const last = new Map<string, number>();
  for (const { pointer } of a) {
    const at = place.get(pointer);
    if (at === undefined || pointer === '') continue;
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    if (at < (last.get(parent) ?? -1)) return parent;
    last.set(parent, at);
  }
  return undefined;
}

function childrenOf(entries: readonly JsonEntry[], parent: string): readonly string[] {
  return entries
    .map(({ pointer }) => pointer)
    .filter((pointer) => pointer !== '' && pointer.slice(0, pointer.lastIndexOf('/')) === parent)
    .map((pointer) => pointer.slice(parent.length + 1));
}
