/**
 * Limits a step of background work to a time that callers of the store do not notice. At the edge the clock stands
 * still while code runs, so only the number of rows limits a step there.
 */
const STEP_MS = 5;

export function stepTime(): () => boolean {
  const end = performance.now() + STEP_MS;
  return () => performance.now() < end;
}
