/**
 * Where the public keys of service tokens come from: a file, or a URL through the egress layer. The egress layer
 * is handed in, so that nothing here can reach the network by another way.
 */
import { parseJson } from '../../config/parse-json.js';
import { SondeError } from '../../errors.js';
import { createFiles } from './files.js';

export const JWKS_BYTES_MAX = 256 * 1024;

/** Fetches JSON through the egress layer; bounds its own time and bytes. */
type FetchJson = (url: string) => Promise<unknown>;

async function jwksFromFile(path: string): Promise<unknown> {
  const parsed = parseJson(await createFiles().readText(path, { bytesMax: JWKS_BYTES_MAX }));
  if (parsed.ok) return parsed.value;
  throw new SondeError('FILE_UNREADABLE', `${path}:${parsed.line}:${parsed.column} is not valid JSON`);
}

/** A loader for `auth.jwks`, to be called again whenever keys may have rotated. A file is read once now. */
export async function createJwksLoader(
  source: string,
  fetchJson: FetchJson,
): Promise<() => Promise<unknown>> {
  if (/^https?:/i.test(source)) return () => fetchJson(source);
  // A missing or broken file must stop the start, not the first caller.
  await jwksFromFile(source);
  return () => jwksFromFile(source);
}
