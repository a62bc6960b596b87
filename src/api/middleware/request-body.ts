/**
 * Reads the request body as bytes, up to a limit. A body that cannot be read to its end (malformed chunks, a closed
 * connection) is a caller's error on every host, whatever the host's reader throws.
 */
import { SondeError } from '../../errors.js';
import { bodyIncomplete, bodyTooLarge } from '../../kernel/refusals.js';
import { concatBytes } from '../../net/index.js';
import type { AppContext } from '../app-env.js';
import { declaredLength } from './body-limit.js';

/** `bytesMax` applies in addition to the server's own limit. */
export async function requestBody(c: AppContext, bytesMax = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const declared = declaredLength(c);
  if (declared !== undefined && declared > bytesMax) throw bodyTooLarge(bytesMax);
  const read = declared === undefined && Number.isFinite(bytesMax) ? readUpTo : readWhole;
  let bytes: Uint8Array;
  try {
    bytes = await read(c, bytesMax);
  } catch (thrown) {
    throw bodyFault(c, thrown);
  }
  // Node reads a body as empty if its connection closed before reading began.
  if (c.env?.isWhole?.() === false) throw bodyFault(c);
  return bytes;
}

async function readWhole(c: AppContext): Promise<Uint8Array> {
  return new Uint8Array(await c.req.arrayBuffer());
}

/** Counts a body without a declared length as it arrives, and stops reading at the limit. */
async function readUpTo(c: AppContext, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = c.req.raw.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.byteLength;
    if (length > bytesMax) {
      await reader?.cancel().catch(() => undefined);
      throw bodyTooLarge(bytesMax);
    }
    pieces.push(next.value);
  }
  return concatBytes(pieces);
}

/** Why a body could not be read to its end. */
function bodyFault(c: AppContext, cause?: unknown): SondeError {
  if (c.var.bodyOverflow) return c.var.bodyOverflow;
  if (cause instanceof SondeError) return cause;
  return bodyIncomplete(cause);
}
