/**
 * Keeps the state of a clock in a store, so that a restart goes on with it, and accepts a step once the clocks have
 * agreed for long enough. Logs one line per step.
 */
import { type AcceptedStep, type ClockState, ClockWatch } from '../../../clock-watch.js';
import type { Log } from '../../../log.js';
import { systemClocks } from '../system-clocks.js';

export interface ClockStore {
  load(): Promise<ClockState | undefined>;
  save(state: ClockState): Promise<void>;
  /** Moves the ends of what was written since the step; `state` is the one after it. */
  accept(step: AcceptedStep, state: ClockState): Promise<void>;
}

interface StoredClockOptions {
  readonly store: ClockStore;
  readonly log: Log;
  /** Called when the time of ends has jumped. */
  readonly onJump: () => void;
  readonly trustMs?: number;
}

/** A start that is later than this after a crash still finds a state from shortly before it. */
const SAVE_EVERY_MS = 30_000;
const CHECK_EVERY_MS = 1_000;

export class StoredClock {
  readonly watch: ClockWatch;
  readonly #options: StoredClockOptions;
  readonly #timer: NodeJS.Timeout;
  #savedAt = Number.NEGATIVE_INFINITY;
  #working: Promise<void> | undefined;

  static async open(options: StoredClockOptions): Promise<StoredClock> {
    const clock = new StoredClock(options, await options.store.load());
    await clock.#options.store.save(clock.watch.state());
    return clock;
  }

  private constructor(options: StoredClockOptions, saved: ClockState | undefined) {
    this.#options = options;
    const { trustMs, log } = options;
    this.watch = new ClockWatch(systemClocks, {
      saved,
      ...(trustMs !== undefined && { trustMs }),
      onStep: (byMs) => {
        this.#savedAt = Number.NEGATIVE_INFINITY;
        log.warn(
          'the wall clock was set; nothing is deleted because of a date until it has been right for an hour',
          {
            bySeconds: Math.round(byMs / 1000),
          },
        );
      },
    });
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  notes(): readonly string[] {
    if (this.watch.isTrusted()) return [];
    const minutes = Math.ceil(this.watch.untrustedForMs() / 60_000);
    return [`the wall clock was set: nothing is deleted because of a date for another ${minutes} min`];
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
    this.watch.now();
    await this.#options.store.save(this.watch.state()).catch(() => undefined);
  }

  #check(): void {
    const step = this.watch.acceptable();
    const isDue = systemClocks.monotonic() - this.#savedAt >= SAVE_EVERY_MS;
    if (this.#working || (!step && !isDue)) return;
    this.#savedAt = systemClocks.monotonic();
    const { store, log } = this.#options;
    const work = step ? this.#accept(step) : store.save(this.watch.state());
    this.#working = work
      .catch((error: unknown) => log.warn('the state of the clock was not stored', { err: error }))
      .finally(() => {
        this.#working = undefined;
      });
  }

  /** In this order, what is stored never seems to end earlier than it does. */
  async #accept(step: AcceptedStep): Promise<void> {
    const { store, onJump } = this.#options;
    const state = this.watch.state(step);
    const jump = () => {
      this.watch.accept(step);
      onJump();
    };
    if (step.byMs < 0) jump();
    await store.accept(step, state);
    if (step.byMs >= 0) jump();
  }
}
