/** The lengths of the arrays in two JSON documents. They are exact even if the elements were not all listed. */
import type { Side } from '../probe/index.js';
import { entriesOf, sameStatusClass } from './json-facts.js';
import type { SampleView } from './sample-view.js';

export interface ListPair {
  readonly pointer: string;
  readonly left: number;
  readonly right: number;
}

/** Arrays at the same pointer on both sides that differ in length, without those nested in another such array. */
export function unequalLists(left: SampleView, right: SampleView): readonly ListPair[] {
  if (!sameStatusClass(left, right)) return [];
  const others = lengthsOf(right);
  const pairs: ListPair[] = [];
  for (const [pointer, length] of lengthsOf(left)) {
    const other = others.get(pointer);
    if (other === undefined || other === length) continue;
    if (pairs.some((pair) => pointer.startsWith(`${pair.pointer}/`))) continue;
    pairs.push({ pointer, left: length, right: other });
  }
  return pairs;
}

function lengthsOf(view: SampleView): ReadonlyMap<string, number> {
  return view.parsed('json-lists', () => {
    const lengths = new Map<string, number>();
    for (const { pointer, type, length } of entriesOf(view) ?? []) {
      if (type === 'array' && length !== undefined) lengths.set(pointer, length);
    }
    return lengths;
  });
}

const CRITICAL_SHARE = 0.6;
const CRITICAL_CHARS = 256;

/** Whether the side's document is so much smaller that it lost most of its content. */
export function lostMostOf(side: Side, left: SampleView, right: SampleView): boolean {
  const [own, other] = (side === 'left' ? [left, right] : [right, left]).map(sizeOf) as [number, number];
  return other - own >= CRITICAL_CHARS && (other - own) / other > CRITICAL_SHARE;
}

function sizeOf({ envelope }: SampleView): number {
  return envelope.body?.normalizedChars ?? envelope.body?.bytes ?? 0;
}
