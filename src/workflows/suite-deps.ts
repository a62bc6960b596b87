/** The dependencies of suites on every engine: comparisons, and documents fetched through the egress layer. */
import { SondeError } from '../errors.js';
import { createRedactor, type Egress, followRedirects, readBody } from '../net/index.js';
import { type SideBox, sealSide } from './compare-deps.js';
import type { SideRequest } from './compare-environments.js';
import type { SuiteDeps } from './compare-suite.js';

export interface SuiteComposition extends Pick<SuiteDeps, 'suites' | 'compare'> {
  readonly box: SideBox;
  readonly egress: Egress;
}

const DOCUMENT_BYTES_MAX = 50_000_000;
/** Higher than the limit of a document, so that reading stops first and the error names the document. */
const EGRESS_LIMITS = { bodyBytes: 2 * DOCUMENT_BYTES_MAX };

export function createSuiteDeps({ suites, compare, box, egress }: SuiteComposition): SuiteDeps {
  const redactor = createRedactor();
  return {
    suites,
    compare,
    seal: (request) => sealSide(box, request),
    redactUrl: (url) => redactor.text(url),
    fetchBytes: (request, signal) => fetchDocument(egress, request, signal),
    newUuid: () => crypto.randomUUID(),
  };
}

async function fetchDocument(
  egress: Egress,
  { url, headers }: SideRequest,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const result = await followRedirects(egress, { url, headers, signal, limits: EGRESS_LIMITS });
  if (!result.ok) throw result.error;
  const { status } = result.response;
  const { bytes, truncated } = await readBody(result.response.body, DOCUMENT_BYTES_MAX);
  if (status !== 200) throw new SondeError('fetch_error', `${url} responded with ${status}`);
  if (truncated)
    throw new SondeError('response_too_large', `${url} has more than ${DOCUMENT_BYTES_MAX} bytes`);
  return bytes;
}
