/**
 * Shares one abort signal among many operations. Each operation gets its own signal, and the given one has a single
 * listener, however many run: runtimes report many listeners as a possible leak.
 */
export class StopFan {
  readonly #signal: AbortSignal;
  readonly #running = new Set<AbortController>();
  readonly #stopAll = (): void => {
    for (const each of this.#running) each.abort(this.#signal.reason);
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#signal.throwIfAborted();
    const own = new AbortController();
    if (this.#running.size === 0) this.#signal.addEventListener('abort', this.#stopAll);
    this.#running.add(own);
    try {
      return await work(own.signal);
    } finally {
      this.#running.delete(own);
      if (this.#running.size === 0) this.#signal.removeEventListener('abort', this.#stopAll);
    }
  }
}
