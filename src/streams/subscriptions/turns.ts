/**
 * Limits how many jobs run concurrently, in total and per tenant. Further jobs wait in order, and the slow jobs of one
 * tenant do not block the others.
 */
import { CountMap } from '../../count-map.js';

interface Waiting {
  readonly tenant: string;
  start(): void;
}

export class Turns {
  readonly #max: number;
  readonly #perTenant: number;
  readonly #running = new CountMap();
  readonly #waiting: Waiting[] = [];
  #total = 0;

  constructor(max: number, perTenant: number) {
    this.#max = max;
    this.#perTenant = perTenant;
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
    return this.#total < this.#max && this.#running.get(tenant) < this.#perTenant;
  }

  #take(tenant: string): void {
    this.#total++;
    this.#running.add(tenant, 1);
  }

  #release(tenant: string): void {
    this.#total--;
    this.#running.add(tenant, -1);
    const next = this.#waiting.findIndex((waiting) => this.#hasRoom(waiting.tenant));
    const [started] = next < 0 ? [] : this.#waiting.splice(next, 1);
    if (!started) return;
    // The slot is taken here, so that no other caller gets it before this one resumes.
    this.#take(started.tenant);
    started.start();
  }
}
