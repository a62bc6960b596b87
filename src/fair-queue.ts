/** Runs work one at a time. Owners who wait take turns, so that many requests of one do not delay those of another. */
export class FairQueue {
  /** In the order of their next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isBusy = false;

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#turnOf(owner);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = this.#startNext();
    }
  }

  #turnOf(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(owner) ?? [];
      this.#waiting.set(owner, waiting);
      waiting.push(resolve);
    });
  }

  /** The owner whose turn it is goes to the end of the line. Returns whether anyone waited. */
  #startNext(): boolean {
    const [next] = this.#waiting;
    if (!next) return false;
    const [owner, waiting] = next;
    const start = waiting.shift();
    this.#waiting.delete(owner);
    if (waiting.length > 0) this.#waiting.set(owner, waiting);
    start?.();
    return true;
  }
}
