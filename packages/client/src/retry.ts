/**
 * Retries work that failed temporarily, a bounded number of times without progress. The wait doubles up to a cap, with
 * jitter, so that clients of a restarted server do not all return at once.
 */
import { DurableFetchError, EXHAUSTED, IN_PROGRESS, isTemporary } from './durable-fetch-error.js';

export interface Timing {
  /** Runs `act` once after `ms`; the returned function cancels it. */
  after(ms: number, act: () => void): () => void;
  /** Milliseconds since any fixed point. */
  now(): number;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
}

export const systemTiming: Timing = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  now: Date.now,
  random: Math.random,
};

export interface RetrySettings {
  readonly endpoint: string;
  readonly retries: number;
  readonly timing: Timing;
}

const BASE_MS = 250;
const CAP_MS = 2_000;
const RETRY_AFTER_MS_MAX = 60_000;
/** How long a create may stay in progress; longer than a server waits for a response head by default. */
const IN_PROGRESS_MS_MAX = 600_000;

export class Retry {
  readonly #settings: RetrySettings;
  readonly #since: number;
  #failures = 0;

  constructor(settings: RetrySettings) {
    this.#settings = settings;
    this.#since = settings.timing.now();
  }

  progress(): void {
    this.#failures = 0;
  }

  /** Runs `work` until it succeeds, fails permanently, or has used up its retries. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (thrown) {
        signal?.throwIfAborted();
        await pause(this.#settings.timing, this.#waitMs(thrown), signal);
      }
    }
  }

  #waitMs(cause: unknown): number {
    const { retries, timing, endpoint } = this.#settings;
    if (!isTemporary(cause)) throw cause;
    const { code, retryAfterMs = 0 } = cause as Partial<DurableFetchError>;
    const requestedMs = Math.min(retryAfterMs, RETRY_AFTER_MS_MAX);
    const isInProgress = code === IN_PROGRESS;
    if (isInProgress ? timing.now() - this.#since > IN_PROGRESS_MS_MAX : this.#failures >= retries)
      throw new DurableFetchError(EXHAUSTED, `no response from ${endpoint} after ${this.#failures} retries`, {
        cause,
      });
    if (isInProgress) return requestedMs;
    const backoff = Math.min(BASE_MS * 2 ** this.#failures, CAP_MS) * (0.5 + timing.random() / 2);
    // The first retry is immediate, because the server was reachable a moment ago.
    return Math.max(requestedMs, this.#failures++ === 0 ? 0 : backoff);
  }
}

function pause(timing: Timing, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = timing.after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}
