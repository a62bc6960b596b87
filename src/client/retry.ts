/**
 * How often and how soon to try again: so many times without progress, then no more. The wait doubles up to a
 * cap, with jitter, so that clients of a server that comes back do not all come at once.
 */
import { DurableFetchError, IN_PROGRESS, isTemporary } from './durable-fetch-error.js';

export interface Timing {
  /** Runs `act` once; the answer calls it off. */
  after(ms: number, act: () => void): () => void;
  /** Milliseconds, from any start. */
  now(): number;
  /** From 0 up to 1. */
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
  readonly retries: number;
  readonly timing: Timing;
}

const BASE_MS = 250;
const CAP_MS = 15_000;
const RETRY_AFTER_MS_MAX = 60_000;
/** How long a create may be under way elsewhere: longer than any server waits for an upstream's head. */
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

  /** Waits, or throws what cannot be helped. After progress the first new try is made at once. */
  async again(
    cause: unknown,
    options: { soon?: boolean; retryAfter?: string | null; signal?: AbortSignal },
  ): Promise<void> {
    const { retries, timing } = this.#settings;
    const { signal, retryAfter, soon } = options;
    signal?.throwIfAborted();
    if (!isTemporary(cause)) throw cause;
    const underWay = cause instanceof DurableFetchError && cause.code === IN_PROGRESS;
    if (underWay ? timing.now() - this.#since > IN_PROGRESS_MS_MAX : this.#failures >= retries) {
      throw new DurableFetchError('RETRIES_EXHAUSTED', `no answer after ${this.#failures} more tries`, {
        cause,
      });
    }
    const asked = Math.min(Number(retryAfter ?? 0) * 1000 || 0, RETRY_AFTER_MS_MAX);
    const backoff =
      soon && this.#failures === 0
        ? 0
        : Math.min(BASE_MS * 2 ** this.#failures, CAP_MS) * (0.5 + timing.random() / 2);
    if (!underWay) this.#failures++;
    await pause(timing, Math.max(asked, backoff), signal);
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
