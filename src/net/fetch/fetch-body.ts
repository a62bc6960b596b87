/** The body of a fetched response. It is read in pieces, decoded by the platform, and counted after decoding. */
import { SondeError } from '../../errors.js';
import type { HopBody, HopTimings } from '../egress.js';
import type { Deadlines } from './deadlines.js';

interface BodyBounds {
  readonly deadlines: Deadlines;
  readonly bytesMax: number;
}

/**
 * Yields to the event loop after this many pieces. If the host always has the next piece ready, reading and storing
 * would otherwise starve other connections.
 */
const PIECES_PER_TURN = 4;

export class FetchBody implements HopBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #bounds: BodyBounds;
  readonly #startedAt = Date.now();
  #endedAt: number | undefined;
  #bytes = 0;
  #pieces = 0;
  #failed: SondeError | undefined;

  constructor(stream: ReadableStream<Uint8Array> | null, bounds: BodyBounds) {
    this.#reader = stream?.getReader();
    this.#bounds = bounds;
    if (!stream) this.#end();
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#pieces++ % PIECES_PER_TURN === PIECES_PER_TURN - 1)
      await new Promise((next) => setTimeout(next, 0));
    if (this.#failed) throw this.#failed;
    if (!this.#reader || this.#endedAt !== undefined) return undefined;
    const { deadlines, bytesMax } = this.#bounds;
    try {
      deadlines.pieceRequested();
      const { value } = await this.#reader.read();
      deadlines.pieceReceived();
      this.#bytes += value?.length ?? 0;
      if (this.#bytes > bytesMax) {
        throw new SondeError('response_too_large', `the body is larger than ${bytesMax} bytes`, {
          details: { max: bytesMax },
        });
      }
      if (!value) this.#end();
      return value;
    } catch (error) {
      this.#failed = deadlines.errorFor(error);
      this.cancel();
      throw this.#failed;
    }
  }

  cancel(): void {
    if (this.#endedAt !== undefined) return;
    this.#end();
    // The body is abandoned, so a failure to cancel it does not matter.
    this.#reader?.cancel().catch(() => {});
  }

  timings(): Pick<HopTimings, 'download'> {
    return this.#endedAt === undefined ? {} : { download: this.#endedAt - this.#startedAt };
  }

  #end(): void {
    this.#endedAt ??= Date.now();
    this.#bounds.deadlines.clear();
  }
}
