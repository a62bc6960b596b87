/**
 * The delay before a failed delivery is retried: exponential and bounded, with full jitter, so that receivers that
 * failed together are not called together again.
 */
export const RETRY_MS = { first: 1_000, max: 15 * 60_000 } as const;

/** `attempts` failed before this one. */
export function retryMs(attempts: number, random: () => number): number {
  return Math.floor(random() * Math.min(RETRY_MS.max, RETRY_MS.first * 2 ** attempts));
}
