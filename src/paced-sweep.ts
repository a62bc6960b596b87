/**
 * Deletes due items in the background, in small steps. After each step it rests as long as the step took, so it uses at
 * most half of a store's capacity and rests longer when the store is busy. With a lasting backlog the rests get
 * shorter, down to a tenth, so that it catches up at any rate of creation.
 */
import { asSondeError } from './errors.js';
import type { Log } from './log.js';
import { LogLimit, POLL_FAULT_LOG_MS } from './log-limit.js';

export interface SweepOptions {
  /** The items that are deleted, in the plural: `jobs`. */
  readonly name: string;
  /** Deletes a few items and returns how many; 0 only if none are due. */
  step(): Promise<number>;
  /** The largest number of items per step. A step that deletes fewer has no backlog, even if the next finds more. */
  readonly stepMax?: number;
  /** How long to wait for the next step when nothing was due. */
  readonly everyMs: number;
  readonly log: Log;
  /** False while nothing may be deleted: data that retention deletes because of a wrong date would be lost. */
  readonly mayRun?: () => boolean;
  /** A number in [0, 1) that keeps processes with a shared store from polling in step. Without it, waits are exact. */
  readonly random?: () => number;
  /** Milliseconds on a clock that never steps. */
  readonly monotonic?: () => number;
  /** Runs `act` once after `ms`; the returned function cancels it. */
  readonly after?: (ms: number, act: () => void) => () => void;
}

const REST_MS_MIN = 1;
/** The shortest rest, as a share of the time that the step took. */
const REST_SHARE_MIN = 0.1;
const LATE_AFTER_MS = 10_000;
const SHORTEST_REST_AFTER_MS = 60_000;

export class PacedSweep {
  readonly name: string;
  readonly #options: SweepOptions;
  readonly #faultLog = new LogLimit({ everyMs: POLL_FAULT_LOG_MS });
  readonly #monotonic: () => number;
  readonly #after: NonNullable<SweepOptions['after']>;
  #cancel: () => void = () => {};
  #running: Promise<void> | undefined;
  #stopped = false;
  #removed = 0;
  #backlogSince: number | undefined;

  constructor(options: SweepOptions) {
    this.name = options.name;
    this.#options = options;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#after = options.after ?? afterTimeout;
  }

  /** Number of items deleted since the start. */
  get removed(): number {
    return this.#removed;
  }

  /** How long there has been a backlog; 0 if the last step deleted everything that was due. */
  get backlogMs(): number {
    return this.#backlogSince === undefined ? 0 : this.#monotonic() - this.#backlogSince;
  }

  start(): void {
    const { everyMs, random = () => 0.5 } = this.#options;
    this.#next(everyMs * (0.5 + random()));
  }

  /** Like `start`, but with the first step at once. */
  startNow(): void {
    this.#next(0);
  }

  /** Resolves when no step is running. */
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
    const startedAt = this.#monotonic();
    const removed = this.#options.mayRun?.() === false ? 0 : await this.#step();
    this.#removed += removed;
    if (removed === 0) {
      this.#backlogSince = undefined;
      this.start();
      return;
    }
    if (removed < (this.#options.stepMax ?? 0)) this.#backlogSince = undefined;
    else this.#backlogSince ??= startedAt;
    const restMs = (this.#monotonic() - startedAt) * this.#restShare();
    this.#next(Math.min(Math.max(REST_MS_MIN, restMs), this.#options.everyMs));
  }

  #restShare(): number {
    const lateMs = Math.max(0, this.backlogMs - LATE_AFTER_MS);
    return Math.max(REST_SHARE_MIN, 1 - lateMs / SHORTEST_REST_AFTER_MS);
  }

  async #step(): Promise<number> {
    const { step, log, name } = this.#options;
    try {
      return await step();
    } catch (thrown) {
      const { code } = asSondeError(thrown);
      const repeated = this.#faultLog.pass(code);
      if (repeated) log.warn('a sweep failed; retrying', { sweep: name, code, ...repeated });
      return 0;
    }
  }
}

function afterTimeout(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
