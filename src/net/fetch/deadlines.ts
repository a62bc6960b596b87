/**
 * The time limits of one hop: in total, until the response head, and between pieces of the body; and the caller's
 * signal. The first one to fire ends the hop.
 */
import { SondeError } from '../../errors.js';
import type { RequestLimits } from '../limits.js';
import { fetchFault } from './fetch-faults.js';

export class Deadlines {
  readonly #abort = new AbortController();
  readonly #limits: RequestLimits;
  readonly #total: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  #phase: ReturnType<typeof setTimeout>;

  constructor(limits: RequestLimits, caller: AbortSignal | undefined) {
    this.#limits = limits;
    this.#caller = caller;
    this.#total = this.#after(limits.totalMs, 'the request');
    this.#phase = this.#after(limits.headersMs, 'the response head');
    caller?.addEventListener('abort', this.#cancel, { once: true });
    if (caller?.aborted) this.#cancel();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  headReceived(): void {
    clearTimeout(this.#phase);
  }

  pieceRequested(): void {
    clearTimeout(this.#phase);
    this.#phase = this.#after(this.#limits.idleMs, 'the next part of the body');
  }

  pieceReceived(): void {
    clearTimeout(this.#phase);
  }

  /** Clears all timers when the hop has ended. */
  clear(): void {
    clearTimeout(this.#phase);
    clearTimeout(this.#total);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }

  /** Why the hop failed. Our own reason takes precedence over the platform's error. */
  errorFor(thrown: unknown): SondeError {
    this.clear();
    const reason: unknown = this.#abort.signal.reason;
    if (reason instanceof SondeError) return reason;
    return fetchFault(thrown);
  }

  readonly #cancel = (): void => {
    this.#abort.abort(new SondeError('canceled', 'the caller canceled the request'));
  };

  #after(ms: number, what: string): ReturnType<typeof setTimeout> {
    return setTimeout(
      () => this.#abort.abort(new SondeError('timeout', `${what} took longer than ${ms} ms`)),
      ms,
    );
  }
}
