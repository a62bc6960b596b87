/**
 * Collects differences without allocating if nothing differs. Some seventy rules run for every pair and nearly all find
 * nothing, so that case decides what a comparison costs.
 */
import type { Side } from '../probe/index.js';
import { sameLines } from './compare-headers.js';
import { byCodeUnit, without } from './fields/code-unit-order.js';
import { type Difference, valueOn } from './rule.js';

const NO_DIFFERENCES: readonly Difference[] = [];

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

type OneSided = Omit<Difference, 'key' | 'left' | 'right'> & Partial<Difference>;

/** One difference for each item that only one of two lists has, in code-unit order of the keys. */
export function oneSidedDifferences(
  left: readonly string[],
  right: readonly string[],
  make: (item: string, side: Side) => OneSided,
): readonly Difference[] {
  if (sameLines(left, right)) return NO_DIFFERENCES;
  const of = (side: Side) => (key: string) => ({ key, ...valueOn(side, key), ...make(key, side) });
  return byKey([...without(left, right).map(of('left')), ...without(right, left).map(of('right'))]);
}

export function byKey(differences: readonly Difference[]): readonly Difference[] {
  return [...differences].sort((a, b) => byCodeUnit(a.key, b.key));
}

export function present(...found: readonly (Difference | undefined)[]): readonly Difference[] {
  return differencesOf(found, (difference) => difference);
}

const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');

export const missingOf = (count: number, total: number, noun: string): string =>
  `${count} of ${total} ${noun} ${isOrAre(count)} missing`;

/** The end of a message about missing things, for those that the other side lacks. */
export const newOnes = (count: number): string => (count > 0 ? `; ${count} ${isOrAre(count)} new` : '');
