/**
 * Limits log lines that a lasting fault would write for every request: one per key and period, with the number of
 * equal lines left out since the last one. Keys come from a closed set, such as error codes.
 */
export interface LogLimitOptions {
  readonly everyMs: number;
  readonly monotonic?: () => number;
}

/** For work that a lasting fault makes fail at every poll. */
export const POLL_FAULT_LOG_MS = 60_000;

interface Seen {
  at: number;
  repeated: number;
}

export class LogLimit {
  readonly #everyMs: number;
  readonly #monotonic: () => number;
  readonly #seen = new Map<string, Seen>();

  constructor({ everyMs, monotonic = () => performance.now() }: LogLimitOptions) {
    this.#everyMs = everyMs;
    this.#monotonic = monotonic;
  }

  /** Returns fields for the line, or undefined if it must be left out. */
  pass(key: string): { readonly repeated?: number } | undefined {
    const now = this.#monotonic();
    const seen = this.#seen.get(key);
    if (seen && now - seen.at < this.#everyMs) {
      seen.repeated++;
      return undefined;
    }
    this.#seen.set(key, { at: now, repeated: 0 });
    return seen && seen.repeated > 0 ? { repeated: seen.repeated } : {};
  }
}
