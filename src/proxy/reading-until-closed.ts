/** Counts a live reader until it disconnects. */
import type { LiveBody } from '../streams/index.js';

export function readingUntilClosed(body: LiveBody, leave: () => void): LiveBody {
  return {
    ...body,
    start(sink) {
      sink.onClose(leave);
      body.start(sink);
    },
  };
}
