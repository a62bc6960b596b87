/**
 * The clock by which streams and keys end. It does not follow steps of the wall clock, and it says whether the wall
 * clock can be trusted: until then, what has ended is hidden but kept (`docs/decisions/server-and-dashboard.md`, 0133).
 */
import { SondeError } from '../errors.js';

export interface LifetimeClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Whether what has ended may be destroyed. */
  isTrusted(): boolean;
  /** How long it takes at least until it may. */
  untrustedForMs(): number;
}

/** For hosts whose platform keeps the time. */
export function trustedClock(now: () => number): LifetimeClock {
  return { now, isTrusted: () => true, untrustedForMs: () => 0 };
}

/** What ended before this may be destroyed: nothing while the clock is not trusted. */
export function destroyBefore(clock: LifetimeClock): number {
  return clock.isTrusted() ? clock.now() : 0;
}

export function clockUntrusted(clock: LifetimeClock): SondeError {
  const retryAfterSeconds = Math.max(1, Math.ceil(clock.untrustedForMs() / 1000));
  return new SondeError(
    'CLOCK_UNTRUSTED',
    `An expired stream has this name. It is kept because the server's clock has been set recently, and is removed once the clock has been right for an hour. Use another name, or try again in ${retryAfterSeconds} s.`,
    { details: { retryAfterSeconds } },
  );
}
