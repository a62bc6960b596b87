/**
 * The time of the records thread. It stands still during a batch, so that no store reads a clock that was set after the
 * batch began. Steps are moved into the stored deadlines, in the batch's transaction and together with the clock's
 * state, so that a restart neither misses a step nor applies it twice.
 */
import { type Clocks, ClockWatch } from '../../../clock-watch.js';
import { SqliteClockState } from '../../../stores/sqlite/clock-state.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import { systemClocks } from '../system-clocks.js';

const SAVE_EVERY_MS = 30_000;

export interface BatchClock {
  /** Begins a batch. Returns how far the wall clock has stepped since the last one. */
  takeStep(): number;
  /** Called in the transaction of a batch, after a step was moved into the deadlines, or without one. */
  save(stepped: boolean): void;
}

export class RecordsTime implements BatchClock {
  readonly #watch: ClockWatch;
  readonly #state: SqliteClockState;
  readonly #monotonic: () => number;
  #savedAt = Number.NEGATIVE_INFINITY;
  #now: number;
  #isTrusted: boolean;

  /** Call it in a transaction. */
  constructor(
    database: SqlDatabase,
    { clocks = systemClocks, trustMs }: { readonly clocks?: Clocks; readonly trustMs?: number } = {},
  ) {
    this.#state = new SqliteClockState(database);
    this.#monotonic = clocks.monotonic;
    this.#watch = new ClockWatch(clocks, {
      saved: this.#state.load(),
      ...(trustMs !== undefined && { trustMs }),
    });
    this.#now = this.#watch.lastWall();
    this.#isTrusted = this.#watch.isTrusted();
  }

  now = (): number => this.#now;
  mayDestroy = (): boolean => this.#isTrusted;

  takeStep(): number {
    const accepted = this.#watch.acceptable();
    if (accepted) this.#watch.accept(accepted);
    this.#isTrusted = this.#watch.isTrusted();
    const step = this.#watch.takeStep();
    if (step !== 0) this.#isTrusted = false;
    this.#now = this.#watch.lastWall();
    return step;
  }

  save(stepped: boolean): void {
    if (!stepped && this.#monotonic() - this.#savedAt < SAVE_EVERY_MS) return;
    this.#state.save(this.#watch.state());
    this.#savedAt = this.#monotonic();
  }
}
