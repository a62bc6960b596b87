/** Maps failures of the platform's `fetch` to coded errors. This is the only place that matches its messages. */
import { asSondeError, SondeError } from '../../../errors.js';

const DECODING = /gzip|brotli|decompress|compressed stream|inflate/i;
const LOST = /network connection lost/i;

export function fetchFault(thrown: unknown): SondeError {
  if (thrown instanceof SondeError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  if (DECODING.test(text)) {
    return new SondeError('decode_error', 'the body could not be decoded', { cause: thrown });
  }
  // A reset, an early end and a closed port have the same message.
  if (LOST.test(text)) {
    return new SondeError('fetch_error', 'the connection was lost', {
      cause: thrown,
      details: { ending: 'truncated' },
    });
  }
  return asSondeError(thrown, 'fetch_error');
}
