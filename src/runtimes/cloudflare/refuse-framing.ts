/**
 * Refuses requests that the platform's parser accepts and Node's does not. A request with both a length and a transfer
 * coding can smuggle another request. A WebSocket request loses its method and body on the way, so a POST would be
 * forwarded as a GET.
 */

import { SondeError } from '../../errors.js';
import { upgradeRefused } from '../../kernel/refusals.js';
import { transferCodingFault } from '../../kernel/transfer-coding.js';

/** Node's default; the platform itself accepts eight times as much. */
const HEAD_BYTES_MAX = 16 * 1024;

export function refuseFraming(headers: Headers): void {
  refuseLargeHead(headers);
  const coding = headers.get('transfer-encoding');
  if (coding !== null && headers.has('content-length')) {
    throw refusal('A request must not have both Content-Length and Transfer-Encoding.');
  }
  const fault = transferCodingFault(coding);
  if (fault) throw fault;
  if (/\bwebsocket\b/i.test(headers.get('upgrade') ?? '')) {
    throw upgradeRefused();
  }
}

function refuseLargeHead(headers: Headers): void {
  let bytes = 0;
  // Each line also has a colon, a space and a line break of two characters.
  for (const [name, value] of headers) bytes += name.length + value.length + 4;
  if (bytes <= HEAD_BYTES_MAX) return;
  throw new SondeError(
    'HEADERS_TOO_LARGE',
    `The request's headers are larger than the limit of ${HEAD_BYTES_MAX} bytes.`,
    { details: { bytesMax: HEAD_BYTES_MAX } },
  );
}

function refusal(message: string): SondeError {
  return new SondeError('INVALID_REQUEST', message);
}
