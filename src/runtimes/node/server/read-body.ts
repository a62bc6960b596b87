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
  if (headers['transfer-encoding'] !== undefined) return collect(incoming, bytesMax);
  return fill(incoming, Number(headers['content-length'] ?? 0));
}

/** Into one buffer of the declared length. */
function fill(incoming: IncomingMessage, length: number): Promise<Uint8Array> {
  let whole: Buffer | undefined;
  let at = 0;
  const take = (piece: Buffer) => {
    if (piece.length === length) whole = piece;
    whole ??= Buffer.allocUnsafeSlow(length);
    if (whole !== piece) piece.copy(whole, at);
    at += piece.length;
  };
  return read(incoming, take).then(() => whole ?? Buffer.alloc(0));
}

/** A body whose length is known only at its end. */
async function collect(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let length = 0;
  await read(incoming, (piece) => {
    length += piece.length;
    if (length > bytesMax) throw bodyTooLarge(bytesMax);
    pieces.push(piece);
  });
  return Buffer.concat(pieces);
}

/** Passes each piece to `take`, until the end or until it throws. */
function read(incoming: IncomingMessage, take: (piece: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let turnBytes = 0;
    let ended = false;
    // Every request closes, most of them after their end. An error with its stack is created only for the others.
    const fail = (cause?: Error) => {
      if (!ended) reject(bodyIncomplete(cause));
    };
    const onData = (piece: Buffer) => {
      try {
        take(piece);
      } catch (refused) {
        ended = true;
        incoming.off('data', onData);
        return reject(refused);
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
      resolve();
    });
    incoming.on('error', fail);
    incoming.on('close', () => fail());
    if (incoming.destroyed) fail();
  });
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
