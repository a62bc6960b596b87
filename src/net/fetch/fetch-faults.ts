/** Maps failures of `fetch` to coded errors. This is the only place that matches its messages. */
import { asSondeError, type ErrorCode, SondeError } from '../../errors.js';

const LOST = /network connection lost/i;

const KINDS: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [/gzip|brotli|decompress|compressed stream|inflate/i, 'decode_error', 'the body could not be decoded'],
  [/certificate|\b(?:ssl|tls)\b/i, 'tls_error', 'the TLS handshake failed'],
  [/\bdns\b|ENOTFOUND|EAI_AGAIN/i, 'dns_error', 'the name could not be resolved'],
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/, 'connect_error', 'the connection could not be established'],
  [/timed? ?out/i, 'timeout', 'the request timed out'],
];

export function fetchFault(thrown: unknown): SondeError {
  if (thrown instanceof SondeError) return thrown;
  const text = textOf(thrown);
  // A reset, an early end and a closed port have the same message.
  if (LOST.test(text)) {
    return new SondeError('fetch_error', 'the connection was lost', {
      cause: thrown,
      details: { ending: 'truncated' },
    });
  }
  const kind = KINDS.find(([pattern]) => pattern.test(text));
  if (kind) return new SondeError(kind[1], kind[2], { cause: thrown });
  return asSondeError(thrown, 'fetch_error');
}

/** Node's error only says that the fetch failed; its cause has the reason. */
function textOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return [thrown, cause].map(ownText).join(' ');
}

function ownText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown ?? '');
  const { code } = thrown as { readonly code?: unknown };
  return typeof code === 'string' ? `${thrown.message} ${code}` : thrown.message;
}
