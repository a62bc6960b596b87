/**
 * Memory that files are read into, used again by the next reader. Fresh buffers of this size would be what a
 * catch-up read costs most: each counts against the heap's allowance for memory outside of it, and the garbage
 * collector runs for them. A buffer that is not given back is simply lost to the collector.
 */

/** A full chunk with its last record and its index: what nearly every segment fits into. */
const BUFFER_BYTES = 5 * 1024 * 1024 + 64 * 1024;
/** Two for each of a few readers at once; with more readers, memory is made and collected as usual. */
const BUFFERS_KEPT = 6;

export class ReadBuffers {
  readonly #free: ArrayBuffer[] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();

  take(): Uint8Array {
    const buffer = this.#free.pop() ?? new ArrayBuffer(BUFFER_BYTES);
    this.#lent.add(buffer);
    return new Uint8Array(buffer);
  }

  /** Any part of a lent buffer stands for all of it. What was not lent, or has been given back, is ignored. */
  giveBack({ buffer }: Uint8Array): void {
    if (!(buffer instanceof ArrayBuffer) || !this.#lent.delete(buffer)) return;
    if (this.#free.length < BUFFERS_KEPT) this.#free.push(buffer);
  }
}
