/**
 * A bound on how many jobs run at once, in all and for each tenant: more wait in order, and one tenant's slow
 * jobs leave room for the others'.
 */
interface Waiting {
  readonly tenant: string;
  start(): void;
}

export class Turns {
  readonly #max: number;
  readonly #perTenant: number;
  readonly #running = new Map<string, number>();
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
      this.#give(tenant);
    }
  }

  #hasRoom(tenant: string): boolean {
    return this.#total < this.#max && (this.#running.get(tenant) ?? 0) < this.#perTenant;
  }

  #take(tenant: string): void {
    this.#total++;
    this.#running.set(tenant, (this.#running.get(tenant) ?? 0) + 1);
  }

  #give(tenant: string): void {
    this.#total--;
    const left = (this.#running.get(tenant) ?? 1) - 1;
    if (left > 0) this.#running.set(tenant, left);
    else this.#running.delete(tenant);
    const next = this.#waiting.findIndex((waiting) => this.#hasRoom(waiting.tenant));
    const [started] = next < 0 ? [] : this.#waiting.splice(next, 1);
    if (!started) return;
    // Taken for it now, so that no other caller gets in before it wakes.
    this.#take(started.tenant);
    started.start();
  }
}
