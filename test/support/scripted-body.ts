import { SondeError } from '../../src/errors.js';
import type { HopBody } from '../../src/net/index.js';

type Step = { readonly bytes: Uint8Array } | { readonly error: SondeError } | 'end';

/** An upstream body whose content and timing the test controls. */
export class ScriptedBody implements HopBody {
  readonly #steps: Step[] = [];
  #waiting: ((step: Step) => void) | undefined;
  /** How often a piece was requested. */
  reads = 0;
  canceled = 0;

  say(text: string | Uint8Array): void {
    this.#add({ bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text });
  }

  end(): void {
    this.#add('end');
  }

  fail(code: 'timeout' | 'response_too_large' | 'fetch_error' | 'decode_error', ending?: string): void {
    this.#add({ error: new SondeError(code, 'it broke', { details: ending ? { ending } : {} }) });
  }

  async read(): Promise<Uint8Array | undefined> {
    this.reads++;
    const step =
      this.#steps.shift() ??
      (await new Promise<Step>((resolve) => {
        this.#waiting = resolve;
      }));
    if (step === 'end') return undefined;
    if ('error' in step) throw step.error;
    return step.bytes;
  }

  cancel(): void {
    this.canceled++;
    this.#waiting?.({ error: new SondeError('canceled', 'given up') });
    this.#waiting = undefined;
  }

  #add(step: Step): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(step);
    else this.#steps.push(step);
  }
}
