/**
 * Detects steps of the wall clock by comparing it with a clock that never steps. Gradual corrections make the two drift
 * apart slowly. A jump of more than a second is a step: the clock was set, or the machine slept.
 */
export interface Clocks {
  /** Milliseconds since the epoch; may step. */
  readonly wall: () => number;
  /** Milliseconds since any fixed point; never steps. */
  readonly monotonic: () => number;
}

const STEP_MS = 1_000;

export class ClockWatch {
  readonly #clocks: Clocks;
  #offset: number;
  #agreedSince: number;
  #hasStepped = false;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#agreedSince = clocks.monotonic();
    this.#offset = clocks.wall() - this.#agreedSince;
  }

  /** How far the wall clock has stepped since the last call: negative for a step back, 0 for none. */
  takeStep(): number {
    const now = this.#clocks.monotonic();
    const offset = this.#clocks.wall() - now;
    const step = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(step) <= STEP_MS) return 0;
    this.#agreedSince = now;
    this.#hasStepped = true;
    return step;
  }

  /** Whether the wall clock has stepped within the last `ms` milliseconds; steps before the start are not known. */
  hasSteppedWithin(ms: number): boolean {
    return this.agreedMs() < ms && this.#hasStepped;
  }

  /** How long the clocks have agreed, as far as was sampled; at most since the start. */
  agreedMs(): number {
    this.takeStep();
    return this.#clocks.monotonic() - this.#agreedSince;
  }
}
