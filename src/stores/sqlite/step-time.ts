/**
 * Whether a step of background work may continue: it ends before a caller that waits for the store would notice. Where the clock
 * stands still while code runs, at the edge, the number of rows alone bounds a step.
 */
const STEP_MS = 5;

export function stepTime(): () => boolean {
  const end = performance.now() + STEP_MS;
  return () => performance.now() < end;
}
