/**
 * Estimates how far one set of measurements is shifted against another: the Hodges–Lehmann estimate and its exact
 * interval from the Wilcoxon rank-sum distribution. Without resampling or normal approximation, the result is the same
 * everywhere, and valid for five samples as well as fifty. Ties only widen the true coverage.
 */
export interface Shift {
  /** Median of all differences right − left. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** With fewer samples per side there is no interval. */
export const SHIFT_SAMPLES_MIN = 5;
/** Samples beyond this number are ignored: the counting table grows with the cube. */
export const SHIFT_SAMPLES_MAX = 50;

/** Five samples per side reach it only if every sample of one side is slower than all samples of the other. */
const ALPHA = 0.01;

export function rankSumShift(left: readonly number[], right: readonly number[]): Shift | undefined {
  if (left.length < SHIFT_SAMPLES_MIN || right.length < SHIFT_SAMPLES_MIN) return undefined;
  const a = left.slice(0, SHIFT_SAMPLES_MAX);
  const b = right.slice(0, SHIFT_SAMPLES_MAX);
  const differences = b.flatMap((r) => a.map((l) => r - l)).sort((x, y) => x - y);
  const rank = intervalRank(a.length, b.length);
  return {
    estimate: median(differences),
    low: differences[rank - 1] ?? Number.NEGATIVE_INFINITY,
    high: differences[differences.length - rank] ?? Number.POSITIVE_INFINITY,
  };
}

/** The list need not be sorted; the median of an empty one is 0. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** The value at quantile `q`, by nearest rank. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((x, y) => x - y);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? 0;
}

/**
 * The largest k with P(U ≤ k−1) ≤ α/2: the k-th smallest and k-th largest difference bound the interval. At
 * least 1, which five samples per side always reach.
 */
export function intervalRank(m: number, n: number): number {
  const counts = rankSumCounts(m, n);
  const total = counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  let rank = 0;
  for (const count of counts) {
    below += count / total;
    if (below > ALPHA / 2) break;
    rank++;
  }
  return Math.max(1, rank);
}

/**
 * How many of the C(m+n, m) orderings have each value of U, from 0 to m·n: the coefficients of the Gaussian
 * binomial, built by multiplying with (1 − x^(n+i)) and dividing by (1 − x^i).
 */
export function rankSumCounts(m: number, n: number): number[] {
  const size = m * n + 1;
  const counts = new Array<number>(size).fill(0);
  counts[0] = 1;
  for (let i = 1; i <= m; i++) {
    for (let at = size - 1; at >= n + i; at--) counts[at] = (counts[at] ?? 0) - (counts[at - n - i] ?? 0);
    for (let at = i; at < size; at++) counts[at] = (counts[at] ?? 0) + (counts[at - i] ?? 0);
  }
  return counts;
}
