/**
 * Clears away what is due, in the background and in small steps. After each step it rests as long as the step took, so it
 * has half of a store at most, and the busier the store is the longer it rests. The longer it has had a backlog the less
 * it rests, down to a tenth of that: there is no rate of creation at which it falls behind for good.
 */
import { asSondeError } from './errors.js';
import type { Log } from './log.js';

export interface SweepOptions {
  /** What is cleared away, in the plural: `jobs`. */
  readonly name: string;
  /** Clears away a few of them; returns how many, and 0 only if none is due. */
  step(): Promise<number>;
  /** How many one step takes at most. One that took fewer has kept up, though more may be due by the next. */
  readonly stepMax?: number;
  /** From the moment nothing was due to the next look. */
  readonly everyMs: number;
  readonly log: Log;
  /** False while nothing may be cleared away: what retention deletes on a wrong date does not come back. */
  readonly mayRun?: () => boolean;
  /** In [0, 1): keeps processes that share a store from looking in step. Without it every look comes on time. */
  readonly random?: () => number;
  /** Milliseconds of a clock that never steps. */
  readonly monotonic?: () => number;
  /** Runs `act` once; what it returns calls it off. */
  readonly after?: (ms: number, act: () => void) => () => void;
}

const REST_MS_MIN = 1;
/** Of the time that a step took. */
const REST_SHARE_MIN = 0.1;
const LATE_AFTER_MS = 10_000;
const LEAST_REST_AFTER_MS = 60_000;

export class PacedSweep {
  readonly name: string;
  readonly #options: SweepOptions;
  readonly #monotonic: () => number;
  readonly #after: NonNullable<SweepOptions['after']>;
  #cancel: () => void = () => {};
  #running: Promise<void> | undefined;
  #stopped = false;
  #removed = 0;
  #busySince: number | undefined;

  constructor(options: SweepOptions) {
    this.name = options.name;
    this.#options = options;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#after = options.after ?? afterTimeout;
  }

  /** How many have been cleared away since the start. */
  get removed(): number {
    return this.#removed;
  }

  /** For how long there has been a backlog: 0 while the last step took all that was due. */
  get backlogMs(): number {
    return this.#busySince === undefined ? 0 : this.#monotonic() - this.#busySince;
  }

  start(): void {
    const { everyMs, random = () => 0.5 } = this.#options;
    this.#next(everyMs * (0.5 + random()));
  }

  /** As `start`, with the first look at once. */
  startNow(): void {
    this.#next(0);
  }

  /** Resolves when no step is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  #next(ms: number): void {
    if (this.#stopped) return;
    this.#cancel = this.#after(ms, () => {
      this.#running = this.#run();
    });
  }

  async #run(): Promise<void> {
    const began = this.#monotonic();
    const removed = this.#options.mayRun?.() === false ? 0 : await this.#step();
    this.#removed += removed;
    if (removed === 0) {
      this.#busySince = undefined;
      this.start();
      return;
    }
    if (removed < (this.#options.stepMax ?? 0)) this.#busySince = undefined;
    else this.#busySince ??= began;
    const restMs = (this.#monotonic() - began) * this.#restShare();
    this.#next(Math.min(Math.max(REST_MS_MIN, restMs), this.#options.everyMs));
  }

  #restShare(): number {
    const lateMs = Math.max(0, this.backlogMs - LATE_AFTER_MS);
    return Math.max(REST_SHARE_MIN, 1 - lateMs / LEAST_REST_AFTER_MS);
  }

  async #step(): Promise<number> {
    const { step, log, name } = this.#options;
    try {
      return await step();
    } catch (thrown) {
      log.warn('a sweep failed; retrying', { sweep: name, code: asSondeError(thrown).code });
      return 0;
    }
  }
}

function afterTimeout(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
