/** How fast instances may be created: the platform takes 100 per second of an account, and a tenant is not alone. */
export const CREATED_PER_SECOND = 25;

const EACH_MS = 1_000 / CREATED_PER_SECOND;
const BURST_MS = 1_000;

export class CreationPace {
  /** Up to here the time is used up by what was created. */
  #usedUntil = 0;

  /** How many may be created now. */
  room(now: number): number {
    return Math.floor((now + BURST_MS - Math.max(this.#usedUntil, now)) / EACH_MS);
  }

  take(now: number, count: number): void {
    this.#usedUntil = Math.max(this.#usedUntil, now) + count * EACH_MS;
  }

  /** How long until the next may be created. */
  waitMs(now: number): number {
    return Math.max(0, this.#usedUntil + EACH_MS - BURST_MS - now);
  }
}
