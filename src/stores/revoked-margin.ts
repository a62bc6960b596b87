/** How long a revoked session is kept after it expires, in case the clock is ahead or steps back. */
export const REVOKED_MARGIN_MS = 7 * 86_400_000;
