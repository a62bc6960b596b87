/** Counts a live reader until it disconnects. */
import type { StreamBody } from '../streams/index.js';

export function readingUntilClosed(
  body: Extract<StreamBody, { kind: 'live' }>,
  leave: () => void,
): StreamBody {
  return {
    ...body,
    start(sink) {
      sink.onClose(leave);
      body.start(sink);
    },
  };
}
