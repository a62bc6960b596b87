/**
 * Finds the known name that is closest to a mistyped one, at most a third of its length away. Names longer than 64
 * characters are never compared, so the cost is bounded.
 */

/** The number of edits between two words. Swapping two letters, the most common typo, is one edit. */
function editDistance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= left.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const replace = at(row - 1, column - 1) + (same ? 0 : 1);
      const swap = swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[row]?.push(Math.min(replace, swap, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return at(left.length, right.length);
}

export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  const lowerName = name.toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(lowerName, candidate.toLowerCase());
    if (distance <= Math.max(1, name.length / 3) && (!best || distance < best.distance)) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
}
