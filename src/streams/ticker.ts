/**
 * One timer for any number of deadlines. There can be thousands of waiting readers, and a timer for each would cost
 * more than the reader itself. Here a deadline is an entry in the bucket of its tick. The timer runs only while a
 * deadline is pending.
 */
const TICK_MS = 100;

export class Ticker {
  readonly #buckets = new Map<number, Set<() => void>>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #tick = 0;

  /** Calls `act` once, after `ms` and at most two ticks later, unless the returned function cancels it. */
  after(ms: number, act: () => void): () => void {
    const due = this.#tick + Math.ceil(ms / TICK_MS) + 1;
    const bucket = this.#buckets.get(due) ?? new Set();
    this.#buckets.set(due, bucket.add(act));
    this.#timer ??= setInterval(this.#onTick, TICK_MS);
    return () => {
      bucket.delete(act);
      if (bucket.size === 0 && this.#buckets.get(due) === bucket) this.#buckets.delete(due);
      this.#stopIfIdle();
    };
  }

  stop(): void {
    this.#buckets.clear();
    this.#stopIfIdle();
  }

  readonly #onTick = (): void => {
    this.#tick++;
    const bucket = this.#buckets.get(this.#tick);
    this.#buckets.delete(this.#tick);
    for (const act of bucket ?? []) act();
    this.#stopIfIdle();
  };

  #stopIfIdle(): void {
    if (this.#buckets.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
