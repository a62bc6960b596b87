/**
 * Seals full chunks in the background, one after another, including those that a crash left unsealed. Sealing competes
 * with appends for the disk. So while chunks fill quickly they wait for a pause, up to a bound.
 */
import { sealChunk } from './seal-chunk.js';
import type { StreamDeps } from './stream-deps.js';
import type { UnsealedChunk } from './stream-store.js';

const RETRY_MS = 5_000;
const BATCH = 100;

type SealerDeps = Pick<StreamDeps, 'store' | 'objects' | 'log' | 'onCorrupt' | 'limits'>;
type Timer = ReturnType<typeof setTimeout>;

export class Sealer {
  readonly #deps: SealerDeps;
  #running: Promise<void> | undefined;
  #wanted = false;
  #stopped = false;
  #waiting = 0;
  /** Set while chunks keep filling without a pause. */
  #pause: Timer | undefined;
  #retry: Timer | undefined;

  constructor(deps: SealerDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiting;
  }

  filled(): void {
    this.#waiting++;
    const { sealPauseMs } = this.#deps.limits;
    if (this.#stopped) return;
    if (sealPauseMs > 0) {
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => this.wake(), sealPauseMs);
    }
    if (!this.#shouldWait()) this.#begin();
  }

  /** Seals all full chunks now, without waiting for a pause. */
  wake(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#begin();
  }

  /** Resolves when every chunk that can be sealed is sealed. */
  async idle(): Promise<void> {
    if (this.#pause !== undefined) this.wake();
    while (this.#running !== undefined) await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.idle();
    // After it: a run that fails while it is stopped sets a timer too.
    clearTimeout(this.#retry);
  }

  #begin(): void {
    this.#wanted = true;
    if (this.#running !== undefined || this.#stopped) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#wanted) this.#begin();
    });
  }

  #shouldWait(): boolean {
    return this.#pause !== undefined && this.#waiting < this.#deps.limits.unsealedChunks;
  }

  async #run(): Promise<void> {
    this.#wanted = false;
    try {
      const damaged = new Set<string>();
      for (;;) {
        const found = await this.#deps.store.unsealed(BATCH + damaged.size);
        const work = found.filter((each) => !damaged.has(nameOf(each)));
        if (work.length === 0) this.#waiting = 0;
        for (const each of work) {
          if (this.#stopped || this.#shouldWait()) return;
          if ((await sealChunk(this.#deps, each)) === 'corrupt') damaged.add(nameOf(each));
          else this.#waiting = Math.max(0, this.#waiting - 1);
        }
        if (work.length === 0) return;
      }
    } catch (error) {
      this.#deps.log.warn('chunks could not be sealed; they stay readable, and sealing is retried', {
        err: error,
      });
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.wake(), RETRY_MS);
    }
  }
}

function nameOf({ stream, chunk }: UnsealedChunk): string {
  return `${chunk} ${stream.life}`;
}
