/**
 * The body of a request, whole. A long one is read in turns: without a pause Node takes two megabytes from each socket
 * before it looks at the next, and a few long bodies hold up everybody else's requests for as long as that takes.
 */
import type { IncomingMessage } from 'node:http';
import { SondeError } from '../../../errors.js';

/** What one connection may deliver before it is the turn of the others. */
const TURN_BYTES = 64 * 1024;

export function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const length = Number(incoming.headers['content-length'] ?? 0);
    let whole: Buffer | undefined;
    let at = 0;
    let ofTurn = 0;
    let ended = false;
    // Every request closes, most of them after their end: an error, with its stack, is made only for the others.
    const broken = (cause?: Error) => {
      if (!ended)
        reject(new SondeError('INVALID_REQUEST', 'the body ended before it was complete', { cause }));
    };
    incoming.on('data', (piece: Buffer) => {
      if (piece.length === length) whole = piece;
      whole ??= Buffer.allocUnsafeSlow(length);
      if (whole !== piece) piece.copy(whole, at);
      at += piece.length;
      ofTurn += piece.length;
      if (ofTurn < TURN_BYTES) return;
      ofTurn = 0;
      incoming.pause();
      setImmediate(() => incoming.resume());
    });
    incoming.on('end', () => {
      ended = true;
      resolve(whole ?? Buffer.alloc(0));
    });
    incoming.on('error', broken);
    incoming.on('close', () => broken());
  });
}
