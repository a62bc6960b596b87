/** The clocks of one hop: in all, to the head, between pieces; and the caller's own signal. The first ends the hop. */
import { SondeError } from '../../../errors.js';
import type { RequestLimits } from '../../../net/index.js';
import { fetchFault } from './fetch-faults.js';

export class Deadlines {
  readonly #gone = new AbortController();
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
    return this.#gone.signal;
  }

  headCame(): void {
    clearTimeout(this.#phase);
  }

  /** The next piece is waited for. */
  pieceWanted(): void {
    clearTimeout(this.#phase);
    this.#phase = this.#after(this.#limits.idleMs, 'the next part of the body');
  }

  pieceCame(): void {
    clearTimeout(this.#phase);
  }

  /** Nothing is waited for any more. */
  over(): void {
    clearTimeout(this.#phase);
    clearTimeout(this.#total);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }

  /** Why the hop failed; whatever the platform says of it, a cause of ours goes first. */
  errorFor(thrown: unknown): SondeError {
    this.over();
    const reason: unknown = this.#gone.signal.reason;
    if (reason instanceof SondeError) return reason;
    return fetchFault(thrown);
  }

  readonly #cancel = (): void => {
    this.#gone.abort(new SondeError('canceled', 'the caller canceled the request'));
  };

  #after(ms: number, what: string): ReturnType<typeof setTimeout> {
    return setTimeout(
      () => this.#gone.abort(new SondeError('timeout', `${what} took longer than ${ms} ms`)),
      ms,
    );
  }
}
