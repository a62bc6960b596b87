/**
 * Reads the body of a request. It pauses while it reads a long body: otherwise Node reads two megabytes from each socket
 * before it turns to the next, and a few long bodies delay all other requests.
 */
import type { IncomingMessage } from 'node:http';
import { SondeError } from '../../../errors.js';
import { bodyIncomplete, bodyTooLarge } from '../../../kernel/refusals.js';

/** How much one connection may deliver before the others get a turn. */
const TURN_BYTES = 64 * 1024;

/** The whole body, which has at most `bytesMax` bytes. */
export function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  const { headers } = incoming;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const into = isChunked ? new Pieces(bytesMax) : new Declared(Number(headers['content-length'] ?? 0));
  return new Promise((resolve, reject) => {
    let turnBytes = 0;
    let ended = false;
    // Every request closes, most of them after their end. An error with its stack is created only for the others.
    const fail = (cause?: Error) => {
      if (!ended) reject(bodyIncomplete(cause));
    };
    const onData = (piece: Buffer) => {
      if (!into.take(piece)) {
        ended = true;
        incoming.off('data', onData);
        return reject(bodyTooLarge(bytesMax));
      }
      turnBytes += piece.length;
      if (turnBytes < TURN_BYTES) return;
      turnBytes = 0;
      incoming.pause();
      setImmediate(() => incoming.resume());
    };
    incoming.on('data', onData);
    incoming.on('end', () => {
      ended = true;
      resolve(into.whole());
    });
    incoming.on('error', fail);
    incoming.on('close', () => fail());
    if (incoming.destroyed) fail();
  });
}

/** Into one buffer of the declared length. */
class Declared {
  readonly #length: number;
  #whole: Buffer | undefined;
  #at = 0;

  constructor(length: number) {
    this.#length = length;
  }

  take(piece: Buffer): boolean {
    if (piece.length === this.#length) this.#whole = piece;
    this.#whole ??= Buffer.allocUnsafeSlow(this.#length);
    if (this.#whole !== piece) piece.copy(this.#whole, this.#at);
    this.#at += piece.length;
    return true;
  }

  whole(): Uint8Array {
    return this.#whole ?? Buffer.alloc(0);
  }
}

/** A body whose length is known only at its end. */
class Pieces {
  readonly #bytesMax: number;
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Whether the limit allows another piece. */
  take(piece: Buffer): boolean {
    this.#length += piece.length;
    this.#pieces.push(piece);
    return this.#length <= this.#bytesMax;
  }

  whole(): Uint8Array {
    return Buffer.concat(this.#pieces);
  }
}

/** The body as it arrives, read only as fast as it is taken. */
export async function* readPieces(incoming: IncomingMessage, bytesMax: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const piece of incoming.iterator({ destroyOnReturn: false })) {
      length += (piece as Buffer).length;
      if (length > bytesMax) throw bodyTooLarge(bytesMax);
      yield piece as Buffer;
    }
  } catch (thrown) {
    throw thrown instanceof SondeError ? thrown : bodyIncomplete(thrown);
  }
  if (!incoming.complete) throw bodyIncomplete();
}
