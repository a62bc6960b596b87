/**
 * Returns unused pages of a database file to the file system while the store is idle. The file keeps a few of them for
 * the next writes. Files from before `auto_vacuum` keep all of them until they are compacted once.
 */
import type { OpenDatabase } from './open-database.js';

/** Pages that the file keeps: 4 MiB. */
const PAGES_KEPT = 1024;
/** Pages per step, which takes a few milliseconds. */
const PAGES_PER_STEP = 64;
/** Short, because sweeps and workers use even an idle store a few times per second. */
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

  used(): void {
    this.#next(this.#idleMs);
  }

  /** Stops trimming until `release`, because the file must not change. */
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

  /** A failure is harmless; the next idle period tries again. */
  #step(): void {
    try {
      const unused = this.#database.unusedPages() - PAGES_KEPT;
      if (unused > 0) {
        this.#database.giveBack(Math.min(unused, PAGES_PER_STEP));
        this.#trimmed = true;
        return this.#next(REST_MS);
      }
      // Only a checkpoint shortens the file itself.
      if (this.#trimmed) this.#database.checkpoint();
      this.#trimmed = false;
    } catch {
      this.#trimmed = false;
    }
  }
}
