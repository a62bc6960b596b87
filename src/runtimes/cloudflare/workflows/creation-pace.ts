/** Limits how fast a tenant creates instances. The platform allows 100 per second for all tenants of an account. */
export const CREATED_PER_SECOND = 25;

const EACH_MS = 1_000 / CREATED_PER_SECOND;
const BURST_MS = 1_000;

export class CreationPace {
  /** The creations so far use up the time until here. */
  #usedUntil = 0;

  room(now: number): number {
    return Math.floor((now + BURST_MS - Math.max(this.#usedUntil, now)) / EACH_MS);
  }

  take(now: number, count: number): void {
    this.#usedUntil = Math.max(this.#usedUntil, now) + count * EACH_MS;
  }

  waitMs(now: number): number {
    return Math.max(0, this.#usedUntil + EACH_MS - BURST_MS - now);
  }
}
