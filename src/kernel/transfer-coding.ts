/**
 * The one transfer coding that this server removes is `chunked`. Another one before it would be left in the body, so it
 * is refused with 501 (RFC 9112 section 6.1). If `chunked` is not last, or occurs twice, the end of the body is unknown:
 * 400 (section 6.3).
 */
import { SondeError } from '../errors.js';

/** `value` is the joined Transfer-Encoding header. Returns why the request is refused. */
export function transferCodingFault(value: string | null | undefined): SondeError | undefined {
  if (value === undefined || value === null) return undefined;
  const codings = value.split(',').map((each) => each.trim().toLowerCase());
  if (codings.length === 1 && codings[0] === 'chunked') return undefined;
  if (codings.at(-1) !== 'chunked' || codings.indexOf('chunked') < codings.length - 1)
    return new SondeError('INVALID_REQUEST', 'The Transfer-Encoding must end with chunked, given once.');
  return new SondeError(
    'TRANSFER_CODING_UNSUPPORTED',
    'The only supported Transfer-Encoding is chunked; send a compressed body with a Content-Encoding.',
  );
}
