/**
 * Decides how many jobs a worker claims ahead of time. A claimed job waits here while other workers may be idle, so a
 * worker claims only as many as it can start within a moment, by the measured duration of recent jobs of each kind:
 * hundreds if they take almost no time, none if they take seconds.
 */
import type { JobKind } from './job-kinds.js';

const SAMPLES = 32;
const SAMPLES_MIN = 8;
/** A millisecond clock measures 0 for a short job. */
const SHORTEST_MS = 0.2;

export class JobPace {
  readonly #kinds = new Map<JobKind, { readonly durations: number[]; next: number; sum: number }>();

  add(kind: JobKind, ms: number): void {
    const known = this.#kinds.get(kind) ?? { durations: [], next: 0, sum: 0 };
    this.#kinds.set(kind, known);
    known.sum += ms - (known.durations[known.next] ?? 0);
    known.durations[known.next] = ms;
    known.next = (known.next + 1) % SAMPLES;
  }

  /** The longest mean duration of all kinds; infinite until there are enough samples. */
  get meanMs(): number {
    let longest = 0;
    for (const { durations, sum } of this.#kinds.values()) {
      if (durations.length < SAMPLES_MIN) return Number.POSITIVE_INFINITY;
      longest = Math.max(longest, sum / durations.length);
    }
    return this.#kinds.size === 0 ? Number.POSITIVE_INFINITY : Math.max(longest, SHORTEST_MS);
  }

  ahead(concurrency: number, ms: number, max: number): number {
    return Math.min(max, Math.floor((concurrency * ms) / this.meanMs));
  }
}
