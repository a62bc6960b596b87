/** Requests that wait for their response head, or for its stream: counted against the bound, and waited for by a stop. */
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

  /** Resolves when those that wait now wait no longer. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
