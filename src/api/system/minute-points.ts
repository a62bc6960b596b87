/**
 * The last hour of the server in one-minute points: the counts of each minute and the gauges at its end. The points are
 * kept in memory and start over with the server.
 */
export interface MinuteGauges {
  readonly queued: number;
  readonly running: number;
  readonly oldestQueuedMs: number;
  readonly responses: number;
}

/** Totals since the start. */
export interface MinuteTotals {
  readonly requests: number;
  readonly errors: number;
  readonly refusals: number;
}

export interface MinutePoint extends Partial<MinuteGauges>, MinuteTotals {
  /** The end of the minute, in milliseconds since the epoch. */
  readonly at: number;
}

export interface MinuteSources {
  readonly clock: () => number;
  totals(): MinuteTotals;
  /** If this rejects, the point has no gauges. */
  gauges(): Promise<MinuteGauges>;
}

export const MINUTES_KEPT = 60;
const MINUTE_MS = 60_000;

export class MinutePoints {
  readonly #sources: MinuteSources;
  readonly #points: MinutePoint[] = [];
  #before: MinuteTotals;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(sources: MinuteSources) {
    this.#sources = sources;
    this.#before = sources.totals();
  }

  /** Oldest first. */
  get points(): readonly MinutePoint[] {
    return this.#points;
  }

  start(): void {
    this.#timer = setInterval(() => void this.measure(), MINUTE_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async measure(): Promise<void> {
    const { clock, totals, gauges } = this.#sources;
    const now = totals();
    const before = this.#before;
    this.#before = now;
    const at = clock();
    const measured = await gauges().catch(() => ({}));
    this.#points.push({
      at,
      requests: now.requests - before.requests,
      errors: now.errors - before.errors,
      refusals: now.refusals - before.refusals,
      ...measured,
    });
    if (this.#points.length > MINUTES_KEPT) this.#points.shift();
  }
}
