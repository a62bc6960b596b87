import { SondeError } from '../errors.js';
import { readBody } from './body.js';
import type { Egress } from './egress.js';
import { followRedirects, type OutboundRequest } from './follow-redirects.js';

/** The largest sitemap that the protocol allows. */
const DOCUMENT_BYTES_MAX = 50_000_000;

/** Returns a whole document. Throws an error that names its URL if it is missing or too large. */
export async function fetchWhole(
  egress: Egress,
  request: OutboundRequest,
  bytesMax = DOCUMENT_BYTES_MAX,
): Promise<Uint8Array> {
  // The egress limit is higher, so that reading stops first and the error names the URL.
  const limits = { ...request.limits, bodyBytes: 2 * bytesMax };
  const result = await followRedirects(egress, { ...request, limits });
  if (!result.ok) throw result.error;
  const { status, body } = result.response;
  const { bytes, truncated } = await readBody(body, bytesMax);
  if (status !== 200) throw new SondeError('fetch_error', `${request.url} responded with ${status}`);
  if (truncated) throw new SondeError('response_too_large', `${request.url} has more than ${bytesMax} bytes`);
  return bytes;
}
