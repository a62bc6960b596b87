/**
 * A body with exactly one content coding, decoded as it is read. Its limit applies to the decoded size, so a
 * decompression bomb costs no more memory than the pieces in flight. Several codings, or an unsupported one, are
 * refused.
 */
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { SondeError } from '../../../errors.js';
import type { HopBody } from '../../../net/index.js';
import { toNetError } from './net-errors.js';
import type { IncomingHeaders } from './undici-response.js';

/** The codings that a request offers unless its caller sets Accept-Encoding. */
export const OFFERED_CODINGS = 'gzip, deflate, br';

const DECODERS: Readonly<Record<string, (first: Uint8Array) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // "deflate" means zlib's format, but servers send raw deflate too; the low half of the first byte shows which.
  deflate: (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};

/** The coding to decode, if the response has a coded body. */
export function codingOf(method: string, status: number, headers: IncomingHeaders): string | undefined {
  const value = headers['content-encoding'];
  if (value === undefined || method === 'HEAD' || status === 204 || status === 304) return undefined;
  const coding = String(value).trim().toLowerCase();
  return coding === '' || coding === 'identity' ? undefined : coding;
}

export function decodedBody(source: HopBody, coding: string, bytesMax: number): HopBody {
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (!decoder) {
    throw new SondeError(
      'decode_error',
      `content-encoding ${JSON.stringify(coding.slice(0, 40))} is not supported`,
    );
  }
  return new DecodedBody(source, decoder, bytesMax);
}

class DecodedBody implements HopBody {
  readonly #source: HopBody;
  readonly #decoder: (first: Uint8Array) => Transform;
  readonly #bytesMax: number;
  #stream: Transform | undefined;
  #pieces: AsyncIterator<Uint8Array> | undefined;
  #bytes = 0;
  #error: SondeError | undefined;

  constructor(source: HopBody, decoder: (first: Uint8Array) => Transform, bytesMax: number) {
    this.#source = source;
    this.#decoder = decoder;
    this.#bytesMax = bytesMax;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#error) throw this.#error;
    try {
      this.#pieces ??= await this.#open();
      const { value, done } = await this.#pieces.next();
      if (done) return undefined;
      this.#bytes += value.length;
      if (this.#bytes > this.#bytesMax) throw this.#tooLarge();
      return value;
    } catch (thrown) {
      this.#error = toNetError(thrown, 'decode');
      this.cancel();
      throw this.#error;
    }
  }

  cancel(): void {
    this.#stream?.destroy();
    this.#source.cancel();
  }

  wireBytes(): number {
    return this.#source.wireBytes?.() ?? 0;
  }

  /** An empty body stays empty, whatever the header says. */
  async #open(): Promise<AsyncIterator<Uint8Array>> {
    const first = await this.#source.read();
    if (!first) return nothing();
    const stream = this.#decoder(first);
    this.#stream = stream;
    pipeline(pieces(first, this.#source), stream, () => {});
    return stream[Symbol.asyncIterator]();
  }

  #tooLarge(): SondeError {
    return new SondeError('response_too_large', `the decoded body is larger than ${this.#bytesMax} bytes`, {
      details: { max: this.#bytesMax },
    });
  }
}

async function* pieces(first: Uint8Array, source: HopBody): AsyncGenerator<Uint8Array> {
  for (let piece: Uint8Array | undefined = first; piece; piece = await source.read()) yield piece;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
