/**
 * A request body that is sent upstream as it arrives, so it is never held in memory. If a key needs its digest, it is
 * hashed on the way. `fault` is the error that prevented reading the caller's body to its end.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { StreamedBytes } from '../net/index.js';

export class StreamedBody implements StreamedBytes {
  readonly byteLength?: number;
  readonly #pieces: AsyncIterable<Uint8Array>;
  #hash: ReturnType<typeof sha256.create> | undefined;
  #fault: unknown;
  /** Called after each chunk that was taken to be sent, and at the end. */
  onSent: (part: 'piece' | 'whole') => void = () => undefined;
  #ended = false;

  constructor(pieces: AsyncIterable<Uint8Array>, byteLength: number | undefined) {
    this.#pieces = pieces;
    if (byteLength !== undefined) this.byteLength = byteLength;
  }

  get fault(): unknown {
    return this.#fault;
  }

  /** Must be called before the first byte is read. */
  enableHash(): void {
    this.#hash = sha256.create();
  }

  /** Undefined unless the body was hashed to its end. */
  digest(): string | undefined {
    return this.#ended && this.#hash ? bytesToHex(this.#hash.digest()) : undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of this.#pieces) {
        this.#hash?.update(piece);
        yield piece;
        this.onSent('piece');
      }
      this.#ended = true;
      this.onSent('whole');
    } catch (thrown) {
      this.#fault = thrown;
      throw thrown;
    }
  }

  async discard(): Promise<void> {
    for await (const _piece of this);
  }
}
