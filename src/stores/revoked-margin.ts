/** How long a revoked session is remembered after it expired: the clock that says so may be ahead, or go back. */
export const REVOKED_MARGIN_MS = 7 * 86_400_000;
