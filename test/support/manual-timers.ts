import type { Timers } from '../../src/proxy/index.js';

interface Due {
  readonly at: number;
  readonly act: () => void;
}

/** Timers whose time passes only when a test advances it. */
export class ManualTimers implements Timers {
  #now: number;
  readonly #due = new Set<Due>();
  #onSet: (() => void)[] = [];

  constructor(startMs = Date.now()) {
    this.#now = startMs;
  }

  now = (): number => this.#now;

  after = (ms: number, act: () => void): (() => void) => {
    const due = { at: this.#now + ms, act };
    this.#due.add(due);
    for (const resolve of this.#onSet.splice(0)) resolve();
    return () => void this.#due.delete(due);
  };

  /** Milliseconds until each pending timer, soonest first. */
  get set(): readonly number[] {
    return [...this.#due].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  /** Resolves when some timer is set to fire in exactly this time. */
  async untilSet(ms: number): Promise<void> {
    while (!this.set.includes(ms)) await new Promise<void>((resolve) => this.#onSet.push(resolve));
  }

  /** Advances time and fires the timers that fall due, in order. */
  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = [...this.#due].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      this.#due.delete(next);
      next.act();
    }
    this.#now = until;
  }
}
