/** Reads all of stdin as the body of one request, up to the limit. */
import { SondeError } from '../errors.js';
import type { CliContext } from './cli-context.js';

const BODY_BYTES_MAX = 64 * 1024 * 1024;

export async function readStdin(context: CliContext): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of context.terminal.stdin().chunks) {
    length += piece.length;
    if (length > BODY_BYTES_MAX)
      throw new SondeError('USAGE', `a request body can have at most ${BODY_BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  const { concatBytes } = await import('../net/index.js');
  return concatBytes(pieces);
}
