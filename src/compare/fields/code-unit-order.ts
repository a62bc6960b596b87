/** Orders names and values by UTF-16 code unit, which is the same on every engine and in every locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Each value once, in code-unit order. */
export function sortedSet(values: Iterable<string>): string[] {
  const sorted: string[] = [];
  for (const value of values) {
    // Insertion sort for short lists, which nearly all are: two tokens need no set.
    if (sorted.length === INSERTED_MAX) return [...new Set([...sorted, value, ...values])].sort(byCodeUnit);
    let at = sorted.length;
    while (at > 0 && (sorted[at - 1] as string) > value) at--;
    if (at > 0 && sorted[at - 1] === value) continue;
    if (at === sorted.length) sorted.push(value);
    else sorted.splice(at, 0, value);
  }
  return sorted;
}

const INSERTED_MAX = 12;

/** The values of `a` that `b` lacks, in the order of `a`. */
export function without(a: readonly string[], b: readonly string[]): string[] {
  if (a.length === 0) return [];
  const known = new Set(b);
  return a.filter((value) => !known.has(value));
}
