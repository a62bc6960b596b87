/**
 * The caller's body as bytes. A body that cannot be read to its end (its chunks are malformed, its connection went)
 * is the caller's fault on every host, whatever the host's reader throws.
 */
import { SondeError } from '../../errors.js';
import type { AppContext } from '../app-env.js';

export async function requestBody(c: AppContext): Promise<Uint8Array> {
  try {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    // Node reads a body as empty if its connection went before anybody began to read.
    if (c.env?.isWhole?.() !== false) return bytes;
  } catch (cause) {
    throw bodyFault(c, cause);
  }
  throw bodyFault(c);
}

/** Why a body could not be read to its end. */
export function bodyFault(c: AppContext, cause?: unknown): SondeError {
  return c.var.bodyOverflow ?? new SondeError('INVALID_REQUEST', 'the body broke off', { cause });
}
