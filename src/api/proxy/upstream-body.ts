/**
 * Reads the body of a request that is sent upstream. A short body is read completely first, so that nothing is sent if
 * it is incomplete. A longer one is streamed, so that its size costs no memory.
 */
import type { Call } from '../../kernel/call.js';
import { concatBytes } from '../../net/index.js';
import { StreamedBody } from '../../proxy/index.js';

const WHOLE_BYTES_MAX = 1024 * 1024;

export async function upstreamBody(call: Call): Promise<Uint8Array | StreamedBody> {
  const declared = call.declaredLength();
  const isChunked = call.header('transfer-encoding') !== null;
  if (declared === undefined ? !isChunked : declared <= WHOLE_BYTES_MAX) return call.bytes();
  const pieces = call.pieces();
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes <= WHOLE_BYTES_MAX) {
    const { done, value } = await pieces.next();
    if (done) return concatBytes(first);
    first.push(value);
    bytes += value.length;
  }
  return new StreamedBody(piecesOf(first, pieces), declared);
}

async function* piecesOf(
  first: Uint8Array[],
  rest: AsyncIterableIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = first.shift(); piece; piece = first.shift()) yield piece;
    yield* rest;
  } finally {
    // The upstream may respond, or fail, before it has read everything.
    await rest.return?.();
  }
}
