/**
 * The delay before a failed job runs again: exponential, bounded, with full jitter, so that jobs that failed together
 * are not retried together. Pure: the caller supplies the randomness.
 */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

const DOUBLINGS_MAX = 40;

/** The longest wait after `attempt` attempts, the first being 1. */
export function backoffCeilingMs(attempt: number, { firstMs, maxMs }: Backoff): number {
  const doublings = Math.min(Math.max(attempt, 1) - 1, DOUBLINGS_MAX);
  return Math.min(maxMs, firstMs * 2 ** doublings);
}

/** `fraction` is a random number in [0, 1). */
export function backoffMs(attempt: number, backoff: Backoff, fraction: number): number {
  return Math.floor(fraction * backoffCeilingMs(attempt, backoff));
}
