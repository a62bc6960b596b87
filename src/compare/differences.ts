/**
 * Collects differences without allocating where nothing differs. Seventy rules run for every pair and
 * nearly all of them are silent, so what silence costs is what a comparison costs.
 */
import type { Side } from '../probe/index.js';
import { byCodeUnit, without } from './fields/code-unit-order.js';
import type { Difference } from './rule.js';

export const NO_DIFFERENCES: readonly Difference[] = [];

type Made = Difference | undefined;

/** The results of `make` for each item, without undefined ones. */
export function differencesOf<T>(
  items: readonly T[],
  make: (item: T, index: number) => Made,
): readonly Difference[] {
  let found: Difference[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const difference = make(items[at] as T, at);
    if (!difference) continue;
    if (found) found.push(difference);
    else found = [difference];
  }
  return found ?? NO_DIFFERENCES;
}

const SIDES: readonly Side[] = ['left', 'right'];

/** The results of `make` for each side alone. */
export function differencesOfSides(make: (side: Side) => Made): readonly Difference[] {
  return differencesOf(SIDES, make);
}

/** One difference for everything that only one of two lists has, in code-unit order of the keys. */
export function oneSidedDifferences(
  left: readonly string[],
  right: readonly string[],
  make: (item: string, side: Side) => Difference,
): readonly Difference[] {
  if (sameItems(left, right)) return NO_DIFFERENCES;
  return [
    ...without(left, right).map((item) => make(item, 'left')),
    ...without(right, left).map((item) => make(item, 'right')),
  ].sort((a, b) => byCodeUnit(a.key, b.key));
}

function sameItems(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  return true;
}

export function joined(a: readonly Difference[], b: readonly Difference[]): readonly Difference[] {
  if (a.length === 0) return b;
  return b.length === 0 ? a : [...a, ...b];
}
