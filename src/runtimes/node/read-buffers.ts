/**
 * A pool of buffers for reading files. Allocating buffers of this size would be the largest cost of a catch-up read,
 * because external memory counts towards the limits of the heap and triggers the garbage collector. A buffer that is
 * not given back is simply collected.
 */

/** Fits a full chunk with its last record and its index, and so nearly every segment. */
const BUFFER_BYTES = 5 * 1024 * 1024 + 64 * 1024;
/** Two for each of a few concurrent readers; with more readers, buffers are allocated and collected as usual. */
const BUFFERS_KEPT = 6;

export class ReadBuffers {
  readonly #free: ArrayBuffer[] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();

  take(): Uint8Array {
    const buffer = this.#free.pop() ?? new ArrayBuffer(BUFFER_BYTES);
    this.#lent.add(buffer);
    return new Uint8Array(buffer);
  }

  /** Accepts any part of a lent buffer. Memory that was not lent, or was already given back, is ignored. */
  giveBack({ buffer }: Uint8Array): void {
    if (!(buffer instanceof ArrayBuffer) || !this.#lent.delete(buffer)) return;
    if (this.#free.length < BUFFERS_KEPT) this.#free.push(buffer);
  }
}
