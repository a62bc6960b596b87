/** Requests that wait for their response head or for their stream to be created. A graceful stop waits for them. */
export class OpenRequests {
  readonly #running = new Set<Promise<unknown>>();

  get count(): number {
    return this.#running.size;
  }

  async track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  /** Resolves when all current requests have settled. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
