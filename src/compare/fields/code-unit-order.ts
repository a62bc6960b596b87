/** The one order of names and values: by UTF-16 code unit, the same on every engine, locale and time zone. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Each value once, in code-unit order. */
export function sortedSet(values: Iterable<string>): string[] {
  return [...new Set(values)].sort(byCodeUnit);
}

/** What `a` has and `b` has not, in the order of `a`. */
export function without(a: readonly string[], b: readonly string[]): string[] {
  if (a.length === 0) return [];
  const known = new Set(b);
  return a.filter((value) => !known.has(value));
}
