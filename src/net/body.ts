/** Ways to consume a response body: read it whole up to a limit, drain and discard it, or expose it as a web stream. */
import type { HopBody } from './egress.js';

/** Reads at most `max` bytes. The rest is never read, and the socket is freed. */
export async function readBody(
  body: HopBody,
  max: number,
): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await body.read(); piece; piece = await body.read()) {
    if (length + piece.length > max) {
      pieces.push(piece.subarray(0, max - length));
      body.cancel();
      return { bytes: concatBytes(pieces), truncated: true };
    }
    pieces.push(piece);
    length += piece.length;
  }
  return { bytes: concatBytes(pieces), truncated: false };
}

/** Reads a short body to its end so that the socket can be reused; cancels a long or broken one. */
export async function discardBody(body: HopBody, max: number): Promise<void> {
  let left = max;
  try {
    for (let piece = await body.read(); piece; piece = await body.read()) {
      left -= piece.length;
      if (left < 0) return body.cancel();
    }
  } catch {
    body.cancel();
  }
}

/** Pull-based: nothing is read from the socket until the consumer reads. */
export function bodyStream(body: HopBody): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await body.read();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      cancel: () => body.cancel(),
    },
    { highWaterMark: 0 },
  );
}

/** Joins chunks into one array. A single chunk is returned as it is, not copied. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only) return only;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
