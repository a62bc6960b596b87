/**
 * Error responses for requests that never reach the app, because Node refused to parse them or stopped waiting. They
 * look like every other error response. They contain nothing from the request.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { SondeError } from '../../../errors.js';
import { errorBody, errorHeaders } from '../../../kernel/reply.js';

/** Maps an error of Node's parser or timer to a coded error. */
export function fromClientError(code: string | undefined, headerBytesMax: number): SondeError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new SondeError(
        'HEADERS_TOO_LARGE',
        `The request headers are larger than the limit of ${headerBytesMax} bytes.`,
        { details: { bytesMax: headerBytesMax } },
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new SondeError('BODY_TOO_LARGE', "The body's chunk extensions are too large.");
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new SondeError('REQUEST_TIMEOUT', 'The request did not arrive in time.');
    default:
      return new SondeError('INVALID_REQUEST', 'The request is not valid HTTP/1.1.');
  }
}

export function rawErrorHeaders(): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
  };
}

/**
 * A complete HTTP/1.1 response to write to the socket. `packet` is what the parser was reading. The response has no
 * body if that may be part of a HEAD request, whose client would take a body for the next response.
 */
export function rawErrorResponse(error: SondeError, packet: Uint8Array | undefined): string {
  const status = error.facts.status;
  const body = mayBeHead(error, packet) ? '' : JSON.stringify(errorBody(error));
  const headers = {
    ...rawErrorHeaders(),
    ...errorHeaders(error),
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}

/** A head that is too large may have arrived in several packets; then its method is unknown. */
function mayBeHead({ code }: SondeError, packet: Uint8Array | undefined): boolean {
  const start = Buffer.from(packet?.subarray(0, 16) ?? []).toString('latin1');
  return start.startsWith('HEAD ') || (code === 'HEADERS_TOO_LARGE' && !/^[A-Z-]+ /.test(start));
}
