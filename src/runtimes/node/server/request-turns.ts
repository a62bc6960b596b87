/**
 * Starts a bounded number of requests per turn of the event loop. A turn serves every socket that is ready, so a
 * thousand requests that arrive together would hold up all timers and running responses until the last has started.
 */

/** About four milliseconds of work. */
const REQUESTS_PER_TURN = 25;

export class RequestTurns {
  readonly #waiting: (() => void)[] = [];
  #started = 0;

  /** Resolves when the request may start; undefined if it may at once. */
  next(): Promise<void> | undefined {
    if (this.#started === REQUESTS_PER_TURN)
      return new Promise((resolve) => {
        this.#waiting.push(resolve);
      });
    if (this.#started === 0) setImmediate(this.#onTurn);
    this.#started += 1;
    return undefined;
  }

  readonly #onTurn = (): void => {
    const starting = this.#waiting.splice(0, REQUESTS_PER_TURN);
    this.#started = starting.length;
    if (this.#started > 0) setImmediate(this.#onTurn);
    for (const start of starting) start();
  };
}
