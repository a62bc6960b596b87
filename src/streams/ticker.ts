/**
 * One timer for any number of deadlines. There can be thousands of waiting readers, and a timer for each would cost
 * more than the reader itself. Here a deadline is an entry in the bucket of its tick. The timer runs only while a
 * deadline is pending. Readers that came together have the same deadline; it is spread over several turns of the loop.
 */
import { actInTurns, type Turn, timerTurn } from '../loop-turns.js';

const TICK_MS = 100;

export class Ticker {
  readonly #buckets = new Map<number, Set<() => void>>();
  readonly #turn: Turn;
  /** Due buckets of which some deadlines still wait for their turn. */
  readonly #acting = new Set<Set<() => void>>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #tick = 0;

  constructor(turn: Turn = timerTurn) {
    this.#turn = turn;
  }

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
    for (const bucket of this.#acting) bucket.clear();
    this.#stopIfIdle();
  }

  readonly #onTick = (): void => {
    this.#tick++;
    const bucket = this.#buckets.get(this.#tick);
    this.#buckets.delete(this.#tick);
    if (bucket) void this.#act(bucket);
    this.#stopIfIdle();
  };

  async #act(bucket: Set<() => void>): Promise<void> {
    this.#acting.add(bucket);
    await actInTurns(bucket, (act) => act(), this.#turn);
    this.#acting.delete(bucket);
  }

  #stopIfIdle(): void {
    if (this.#buckets.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
