// Medians, percentiles, and how figures are printed.

/** @param {readonly number[]} values @param {number} share */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {readonly number[]} values */
export function median(values) {
  return percentile(values, 0.5);
}

/**
 * Returns the same items, starting with another one in each round, so that none always follows the same one.
 * @template T @param {readonly T[]} items @param {number} round
 */
export function rotated(items, round) {
  const from = (round + items.length) % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}

/** @param {number} value */
export function count(value) {
  return Math.round(value).toLocaleString('en-US');
}

/** Formats three significant digits. @param {number} value */
export function short(value) {
  if (value >= 100) return count(value);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Prints one line of the report. @param {string} label @param {string[]} parts */
export function line(label, parts) {
  console.log(`streams  ${label.padEnd(26)} ${parts.join('  |  ')}`);
}
