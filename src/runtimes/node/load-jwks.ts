/**
 * Loads the public keys of service tokens from a file, or from a URL through the egress layer. The egress layer is
 * passed in, so that this file has no other access to the network.
 */
import { parseJson } from '../../config/parse-json.js';
import { SondeError } from '../../errors.js';
import { createFiles } from './files.js';

export const JWKS_BYTES_MAX = 256 * 1024;

/** Fetches JSON through the egress layer, with its own limits of time and bytes. */
type FetchJson = (url: string) => Promise<unknown>;

async function jwksFromFile(path: string): Promise<unknown> {
  const parsed = parseJson(await createFiles().readText(path, { bytesMax: JWKS_BYTES_MAX }));
  if (parsed.ok) return parsed.value;
  throw new SondeError('FILE_UNREADABLE', `${path}:${parsed.line}:${parsed.column} is not valid JSON`);
}

/** Creates a loader for `auth.jwks`, to call whenever keys may have rotated. A file is also read once now. */
export async function createJwksLoader(
  source: string,
  fetchJson: FetchJson,
): Promise<() => Promise<unknown>> {
  if (/^https?:/i.test(source)) return () => fetchJson(source);
  // A missing or invalid file must fail the start, not the first request.
  await jwksFromFile(source);
  return () => jwksFromFile(source);
}
