/**
 * The only place that maps errors of Node, OpenSSL, c-ares, zlib and undici to our codes. It uses their `code` and the
 * phase in which they occurred, never their text.
 */
import { SondeError } from '../../../errors.js';

export type NetPhase = 'dns' | 'connect' | 'tls' | 'head' | 'body' | 'decode';

const PHASE_CODES = {
  dns: 'dns_error',
  connect: 'connect_error',
  tls: 'tls_error',
  head: 'fetch_error',
  body: 'fetch_error',
  decode: 'decode_error',
} as const;

const HEADER_OVERFLOW = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);
const CALLER_FAULTS = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);
const HTTP2_ONLY = new Set(['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL']);
const RESETS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const TRUNCATIONS = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'HPE_INVALID_EOF_STATE',
]);

const PHASE_WORDS: Readonly<Record<NetPhase, string>> = {
  dns: 'the name could not be resolved',
  connect: 'the connection could not be established',
  tls: 'the TLS handshake failed',
  head: 'the connection was lost before a response arrived',
  body: 'the connection was lost during the response',
  decode: 'the body does not match its content encoding',
};

export function toNetError(thrown: unknown, phase: NetPhase): SondeError {
  if (thrown instanceof SondeError) return thrown;
  const foreign = foreignCode(thrown);
  if (HEADER_OVERFLOW.has(foreign)) {
    return new SondeError('header_too_large', 'the response head is too large', { cause: thrown });
  }
  if (CALLER_FAULTS.has(foreign)) {
    return new SondeError('INVALID_REQUEST', 'the request is not valid HTTP and was not sent', {
      cause: thrown,
    });
  }
  if (HTTP2_ONLY.has(foreign)) {
    return new SondeError('http2_only', 'the server supports only HTTP/2, which is not supported here', {
      cause: thrown,
    });
  }
  const reason = foreign === '' ? phase : foreign;
  return new SondeError(PHASE_CODES[phase], `${PHASE_WORDS[phase]} (${reason})`, {
    cause: thrown,
    details: { phase, reason, ...(phase === 'body' && { ending: endingOf(foreign) }) },
  });
}

/** Why a body ended early; the proxy reports it to its readers. */
function endingOf(code: string): string {
  if (RESETS.has(code)) return 'reset';
  return TRUNCATIONS.has(code) ? 'truncated' : 'malformed';
}

/** The most specific code: that of the first error in an AggregateError of several connection attempts. */
function foreignCode(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  if (thrown instanceof AggregateError) return foreignCode(thrown.errors[0]);
  return '';
}
