/**
 * Limits how many jobs run concurrently, in total and per tenant. Further jobs wait: the next one is of the tenant with
 * the fewest running, in order. A tenant with none running is a guest, who gets one in addition to the total. So the slow
 * jobs of some tenants do not block another's.
 */
import { CountMap } from './count-map.js';

interface Waiting {
  readonly tenant: string;
  start(): void;
}

export const TENANT_TURNS = {
  /** Tenants that may each run one job while others use the whole total. */
  guestsMax: 100,
} as const;

export class TenantTurns {
  readonly #max: number;
  readonly #perTenant: number;
  readonly #running = new CountMap();
  readonly #waiting: Waiting[] = [];
  #total = 0;

  constructor(max: number, perTenant: number) {
    this.#max = max;
    this.#perTenant = perTenant;
  }

  /** Runs jobs of one tenant. */
  of(tenant: string): <T>(job: () => Promise<T>) => Promise<T> {
    return (job) => this.run(tenant, job);
  }

  async run<T>(tenant: string, job: () => Promise<T>): Promise<T> {
    if (!this.#hasRoom(tenant)) {
      await new Promise<void>((resolve) => this.#waiting.push({ tenant, start: resolve }));
    } else {
      this.#take(tenant);
    }
    try {
      return await job();
    } finally {
      this.#release(tenant);
    }
  }

  #hasRoom(tenant: string): boolean {
    const own = this.#running.get(tenant);
    if (own === 0) return this.#total < this.#max + TENANT_TURNS.guestsMax;
    return own < this.#perTenant && this.#total < this.#max;
  }

  #take(tenant: string): void {
    this.#total++;
    this.#running.add(tenant, 1);
  }

  #release(tenant: string): void {
    this.#total--;
    this.#running.add(tenant, -1);
    const next = this.#next();
    if (!next) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    // The slot is taken here, so that no other caller gets it before this one resumes.
    this.#take(next.tenant);
    next.start();
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.tenant)) continue;
      if (next && this.#running.get(waiting.tenant) >= this.#running.get(next.tenant)) continue;
      next = waiting;
    }
    return next;
  }
}
