/**
 * Cursors let a cache merge readers that wait at the same offset, but never serve a reader its own previous response.
 * A cursor is the number of the current 20-second interval since a fixed date, and is greater than the reader's last.
 */
const EPOCH_MS = Date.UTC(2024, 9, 9);
const INTERVAL_MS = 20_000;
const JITTER_INTERVALS_MAX = 180;

export function cursorAt(now: number): number {
  return Math.floor((now - EPOCH_MS) / INTERVAL_MS);
}

/** `given` is the cursor that the reader sent. A reader that is already ahead advances by a random amount. */
export function nextCursor(now: number, given: string | null): number {
  const current = cursorAt(now);
  const last = given !== null && /^\d{1,15}$/.test(given) ? Number(given) : -1;
  if (last < current) return current;
  return last + 1 + Math.floor(Math.random() * JITTER_INTERVALS_MAX);
}
