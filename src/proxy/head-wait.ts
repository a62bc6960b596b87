/**
 * Waits for one response head. The wait ends early `headersMs` after the last byte of the request was sent, on demand,
 * or when the caller has been disconnected for as long as the orphan policy allows. A repeated request with the same
 * key counts as a caller.
 */
import type { OrphanPolicy } from './orphan-policy.js';
import type { Timers } from './timers.js';

export interface HeadWaitOptions {
  readonly headersMs: number;
  readonly orphan: OrphanPolicy;
  /** The signal is aborted when the caller disconnects. Read only if needed, because creating a signal is expensive. */
  readonly caller: { readonly signal?: AbortSignal };
}

export class HeadWait {
  readonly #timers: Timers;
  readonly #orphan: OrphanPolicy;
  readonly #abort = new AbortController();
  readonly #headersMs: number;
  #cancelDeadline: () => void;
  /** Part of the request body was sent since the deadline was set. */
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

  get endedBy(): 'timeout' | 'stop' | undefined {
    return this.#endedBy;
  }

  /** Part of the request body was sent: an upload may take longer than `headersMs`. */
  sent(part: 'piece' | 'whole'): void {
    this.#isSending = part === 'piece';
    if (part === 'whole') this.#restart();
  }

  stop(): void {
    this.#end('stop');
  }

  /** The request was repeated: the orphan timeout starts again. */
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
