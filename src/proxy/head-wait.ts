/**
 * The wait for one response head. It ends early `headersMs` after the last byte of the request passed, on demand, or
 * when its caller has been gone for as long as the orphan policy allows. A repeated request with the same key counts as
 * a caller.
 */
import type { OrphanPolicy } from './orphan-policy.js';
import type { Timers } from './timers.js';

export interface HeadWaitOptions {
  readonly headersMs: number;
  readonly orphan: OrphanPolicy;
  /** Aborted when the caller disconnects. Read only if the policy needs it: making a signal costs. */
  readonly caller: { readonly signal?: AbortSignal };
}

export class HeadWait {
  readonly #timers: Timers;
  readonly #orphan: OrphanPolicy;
  readonly #abort = new AbortController();
  readonly #headersMs: number;
  #cancelDeadline: () => void;
  /** Part of the request body passed since the deadline was set. */
  #isSending = false;
  #finished = false;
  readonly #gone: AbortSignal | undefined;
  #cancelOrphan: () => void = () => {};
  #endedBy: 'timeout' | 'stop' | undefined;

  constructor(timers: Timers, { headersMs, orphan, caller }: HeadWaitOptions) {
    this.#timers = timers;
    this.#orphan = orphan;
    this.#headersMs = headersMs;
    this.#cancelDeadline = timers.after(headersMs, this.#onDeadline);
    this.#gone = orphan ? caller.signal : undefined;
    if (this.#gone?.aborted) this.#watchOrphan();
    else this.#gone?.addEventListener('abort', this.#watchOrphan);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Why it ended early, if it did. */
  get endedBy(): 'timeout' | 'stop' | undefined {
    return this.#endedBy;
  }

  /** A part of the request body passed: an upload may take longer than the response to it. */
  sent(part: 'piece' | 'whole'): void {
    this.#isSending = part === 'piece';
    if (part === 'whole') this.#restart();
  }

  stop(): void {
    this.#end('stop');
  }

  /** The request was repeated: the time without a caller starts again. */
  renew(): void {
    if (this.#gone?.aborted) this.#watchOrphan();
  }

  /** The head has arrived, or never will. */
  finish(): void {
    this.#finished = true;
    this.#cancelDeadline();
    this.#cancelOrphan();
    this.#gone?.removeEventListener('abort', this.#watchOrphan);
  }

  readonly #onDeadline = (): void => {
    if (!this.#isSending) return this.#end('timeout');
    this.#isSending = false;
    this.#restart();
  };

  #restart(): void {
    this.#cancelDeadline();
    if (!this.#finished) this.#cancelDeadline = this.#timers.after(this.#headersMs, this.#onDeadline);
  }

  readonly #watchOrphan = (): void => {
    this.#cancelOrphan();
    if (this.#orphan) this.#cancelOrphan = this.#timers.after(this.#orphan.cancelAfterMs, () => this.stop());
  };

  #end(by: 'timeout' | 'stop'): void {
    this.#endedBy ??= by;
    this.finish();
    this.#abort.abort();
  }
}
