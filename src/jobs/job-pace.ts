/**
 * How many jobs a worker takes ahead of time. A job that is taken waits here while other workers may be idle, so
 * only as much is taken as will be begun in a moment, by the measured length of the last jobs of each kind:
 * hundreds where they take no time, none where they take seconds.
 */
import type { JobKind } from './job-kinds.js';

const SAMPLES = 32;
const SAMPLES_MIN = 8;
/** A millisecond clock measures 0 for a short job. */
const SHORTEST_MS = 0.2;

export class JobPace {
  readonly #kinds = new Map<JobKind, { readonly lengths: number[]; next: number; sum: number }>();

  add(kind: JobKind, ms: number): void {
    const known = this.#kinds.get(kind) ?? { lengths: [], next: 0, sum: 0 };
    this.#kinds.set(kind, known);
    known.sum += ms - (known.lengths[known.next] ?? 0);
    known.lengths[known.next] = ms;
    known.next = (known.next + 1) % SAMPLES;
  }

  /** The longest of the kinds' mean lengths; without bound until enough jobs were seen. */
  get meanMs(): number {
    let longest = 0;
    for (const { lengths, sum } of this.#kinds.values()) {
      if (lengths.length < SAMPLES_MIN) return Number.POSITIVE_INFINITY;
      longest = Math.max(longest, sum / lengths.length);
    }
    return this.#kinds.size === 0 ? Number.POSITIVE_INFINITY : Math.max(longest, SHORTEST_MS);
  }

  ahead(concurrency: number, ms: number, max: number): number {
    return Math.min(max, Math.floor((concurrency * ms) / this.meanMs));
  }
}
