/**
 * Collects differences without allocating if nothing differs. Some seventy rules run for every pair and nearly all find
 * nothing, so that case decides what a comparison costs.
 */
import type { Side } from '../probe/index.js';
import { sameLines } from './compare-headers.js';
import { byCodeUnit, without } from './fields/code-unit-order.js';
import type { Difference } from './rule.js';

export const NO_DIFFERENCES: readonly Difference[] = [];

/** The results of `make` for each item, without undefined ones. */
export function differencesOf<T>(
  items: readonly T[],
  make: (item: T, index: number) => Difference | undefined,
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

/** The results of `make` for each side, without undefined ones. */
export function differencesOfSides(make: (side: Side) => Difference | undefined): readonly Difference[] {
  return differencesOf(SIDES, make);
}

/** One difference for each item that only one of two lists has, in code-unit order of the keys. */
export function oneSidedDifferences(
  left: readonly string[],
  right: readonly string[],
  make: (item: string, side: Side) => Difference,
): readonly Difference[] {
  if (sameLines(left, right)) return NO_DIFFERENCES;
  return [
    ...without(left, right).map((item) => make(item, 'left')),
    ...without(right, left).map((item) => make(item, 'right')),
  ].sort((a, b) => byCodeUnit(a.key, b.key));
}

export function joinDifferences(a: readonly Difference[], b: readonly Difference[]): readonly Difference[] {
  if (a.length === 0) return b;
  return b.length === 0 ? a : [...a, ...b];
}
