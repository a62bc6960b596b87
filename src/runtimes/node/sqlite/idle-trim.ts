/**
 * Gives unused pages of a database file back to the file system while the store is idle. A file keeps a
 * few for what is written next. Files from before `auto_vacuum` keep theirs until they are compacted once.
 */
import type { OpenDatabase } from './open-database.js';

/** Pages that stay: 4 MiB. */
const PAGES_KEPT = 1024;
/** Pages of one step, which takes a few milliseconds. */
const PAGES_PER_STEP = 64;
/** Sweeps and workers look into an idle store a few times per second. */
const IDLE_MS = 200;
const REST_MS = 20;

export class IdleTrim {
  readonly #database: Pick<OpenDatabase, 'unusedPages' | 'giveBack' | 'checkpoint'>;
  readonly #idleMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #trimmed = false;
  #held = false;

  constructor(
    database: Pick<OpenDatabase, 'unusedPages' | 'giveBack' | 'checkpoint'>,
    { idleMs = IDLE_MS }: { readonly idleMs?: number } = {},
  ) {
    this.#database = database;
    this.#idleMs = idleMs;
  }

  /** The store was used. */
  used(): void {
    this.#next(this.#idleMs);
  }

  /** Until `release` the file must not change. */
  hold(): void {
    this.#held = true;
    clearTimeout(this.#timer);
  }

  release(): void {
    this.#held = false;
    this.used();
  }

  #next(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#held) this.#timer = setTimeout(() => this.#step(), ms).unref();
  }

  /** What fails here is no loss: the next pause tries again. */
  #step(): void {
    try {
      const unused = this.#database.unusedPages() - PAGES_KEPT;
      if (unused > 0) {
        this.#database.giveBack(Math.min(unused, PAGES_PER_STEP));
        this.#trimmed = true;
        return this.#next(REST_MS);
      }
      // Only then does the file itself become shorter.
      if (this.#trimmed) this.#database.checkpoint();
      this.#trimmed = false;
    } catch {
      this.#trimmed = false;
    }
  }
}
