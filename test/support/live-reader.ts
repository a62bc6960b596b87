import type { LiveSink } from '../../src/streams/index.js';

/** A reader that accepts bytes at once, or buffers them between `stall` and `drain`. */
export class LiveReader implements LiveSink {
  text = '';
  outcome: 'open' | 'ended' | 'aborted' = 'open';
  /** How often its end was reported. */
  ends = 0;
  leave: () => void = () => undefined;
  #waiting = 0;
  #isSlow = false;
  #onDrained: () => void = () => undefined;

  write(bytes: Uint8Array): void {
    this.text += new TextDecoder().decode(bytes);
    if (this.#isSlow) this.#waiting += bytes.length;
  }

  buffered(): number {
    return this.#waiting;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve;
    });
  }

  stall(): void {
    this.#isSlow = true;
  }

  drain(): void {
    this.#isSlow = false;
    this.#waiting = 0;
    this.#onDrained();
  }

  onClose(act: () => void): void {
    this.leave = act;
  }

  end(): void {
    this.outcome = 'ended';
    this.ends++;
  }

  abort(): void {
    this.outcome = 'aborted';
    this.ends++;
  }
}
