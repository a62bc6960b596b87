/**
 * Reads the whole body of a request. It pauses while it reads a long body: otherwise Node reads two megabytes from each
 * socket before it turns to the next, and a few long bodies delay all other requests.
 */
import type { IncomingMessage } from 'node:http';
import { SondeError } from '../../../errors.js';

/** How much one connection may deliver before the others get a turn. */
const TURN_BYTES = 64 * 1024;

export function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const length = Number(incoming.headers['content-length'] ?? 0);
    let whole: Buffer | undefined;
    let at = 0;
    let turnBytes = 0;
    let ended = false;
    // Every request closes, most of them after their end. An error with its stack is created only for the others.
    const fail = (cause?: Error) => {
      if (!ended)
        reject(new SondeError('INVALID_REQUEST', 'the body ended before it was complete', { cause }));
    };
    incoming.on('data', (piece: Buffer) => {
      if (piece.length === length) whole = piece;
      whole ??= Buffer.allocUnsafeSlow(length);
      if (whole !== piece) piece.copy(whole, at);
      at += piece.length;
      turnBytes += piece.length;
      if (turnBytes < TURN_BYTES) return;
      turnBytes = 0;
      incoming.pause();
      setImmediate(() => incoming.resume());
    });
    incoming.on('end', () => {
      ended = true;
      resolve(whole ?? Buffer.alloc(0));
    });
    incoming.on('error', fail);
    incoming.on('close', () => fail());
  });
}
