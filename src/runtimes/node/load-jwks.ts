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

/** A file is cheap to read, and whoever changes it on this machine expects it to count at once. */
const FILE_FRESH_MS = 500;

/** The returned function resolves to the same value until the text of the file changes. */
function jwksFromFile(path: string): () => Promise<unknown> {
  const files = createFiles();
  let read: { readonly text: string; readonly value: unknown } | undefined;
  return async () => {
    const text = await files.readText(path, { bytesMax: JWKS_BYTES_MAX });
    if (text === read?.text) return read.value;
    const parsed = parseJson(text);
    if (!parsed.ok)
      throw new SondeError('FILE_UNREADABLE', `${path}:${parsed.line}:${parsed.column} is not valid JSON`);
    read = { text, value: parsed.value };
    return read.value;
  };
}

/** Creates a loader for `auth.jwks`, to call whenever keys may have rotated. A file is also read once now. */
export async function createJwksLoader(source: string, fetchJson: FetchJson) {
  if (/^https?:/i.test(source)) return { loadJwks: () => fetchJson(source) };
  const loadJwks = jwksFromFile(source);
  // A missing or invalid file must fail the start, not the first request.
  await loadJwks();
  return { loadJwks, jwksFreshMs: FILE_FRESH_MS };
}
