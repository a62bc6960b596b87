/** Seals full chunks one after another in the background, and at start those that a crash left behind. */
import { sealChunk } from './seal-chunk.js';
import type { StreamParts } from './stream-parts.js';

const RETRY_MS = 5_000;
const BATCH = 100;

type SealerParts = Pick<StreamParts, 'store' | 'objects' | 'log' | 'onCorrupt'>;

export class Sealer {
  readonly #parts: SealerParts;
  #running: Promise<void> | undefined;
  #wanted = false;
  #stopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SealerParts) {
    this.#parts = parts;
  }

  /** There may be chunks to seal. */
  wake(): void {
    this.#wanted = true;
    if (this.#running !== undefined || this.#stopped) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#wanted) this.wake();
    });
  }

  /** Resolves when nothing is being sealed. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wanted = false;
    clearTimeout(this.#timer);
    await this.idle();
  }

  async #run(): Promise<void> {
    this.#wanted = false;
    try {
      const damaged = new Set<string>();
      for (;;) {
        const found = await this.#parts.store.unsealed(BATCH + damaged.size);
        const work = found.filter(({ id, chunk }) => !damaged.has(`${chunk} ${id}`));
        if (work.length === 0 || this.#stopped) return;
        for (const { id, chunk } of work) {
          if ((await sealChunk(this.#parts, id, chunk)) === 'corrupt') damaged.add(`${chunk} ${id}`);
        }
      }
    } catch (error) {
      this.#parts.log.warn('chunks could not be sealed; they stay readable and are tried again', {
        err: error,
      });
      this.#timer = setTimeout(() => this.wake(), RETRY_MS);
    }
  }
}
