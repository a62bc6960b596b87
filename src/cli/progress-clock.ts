/** Estimates the remaining time from the progress so far. */

/** Earlier estimates would be too inaccurate to show. */
const ESTIMATE_AFTER_MS = 3_000;
const ESTIMATE_FROM_SHARE = 0.05;

export function timeLeft(startedAt: number, now: number, share: number): string {
  const spent = now - startedAt;
  if (spent < ESTIMATE_AFTER_MS || share < ESTIMATE_FROM_SHARE || share >= 1) return '';
  return `${duration((spent / share) * (1 - share))} left`;
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
