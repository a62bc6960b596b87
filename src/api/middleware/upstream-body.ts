/**
 * Reads the body of a request that is sent upstream. A short body is read completely first, so that nothing is sent if
 * it is incomplete. A longer one is streamed, so that its size costs no memory.
 */
import { concatBytes } from '../../net/index.js';
import { StreamedBody } from '../../proxy/index.js';
import type { AppContext } from '../app-env.js';
import { bodyFault, requestBody } from './request-body.js';

export const WHOLE_BYTES_MAX = 1024 * 1024;

export async function upstreamBody(c: AppContext): Promise<Uint8Array | StreamedBody> {
  const declared = c.req.header('content-length');
  const byteLength = declared === undefined ? undefined : Number(declared);
  const { body } = c.req.raw;
  if (body === null || (byteLength !== undefined && byteLength <= WHOLE_BYTES_MAX)) return requestBody(c);
  const reader = body.getReader();
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes <= WHOLE_BYTES_MAX) {
    const piece = await readPiece(c, reader);
    if (!piece) return concatBytes(first);
    first.push(piece);
    bytes += piece.length;
  }
  return new StreamedBody(piecesOf(c, reader, first), byteLength);
}

async function* piecesOf(
  c: AppContext,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = first.shift(); piece; piece = first.shift()) yield piece;
    for (let piece = await readPiece(c, reader); piece; piece = await readPiece(c, reader)) yield piece;
  } finally {
    // The upstream may respond, or fail, before it has read everything.
    reader.cancel().catch(() => {});
  }
}

/** Undefined at the end of a complete body. */
async function readPiece(
  c: AppContext,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await reader.read();
    if (!done) return value;
  } catch (cause) {
    throw bodyFault(c, cause);
  }
  if (c.env?.isWhole?.() === false) throw bodyFault(c);
  return undefined;
}
