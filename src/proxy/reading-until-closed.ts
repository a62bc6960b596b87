/** A live reader counts as one until it has gone. */
import type { AnswerBody } from '../streams/index.js';

export function readingUntilClosed(
  body: Extract<AnswerBody, { kind: 'live' }>,
  leave: () => void,
): AnswerBody {
  return {
    ...body,
    start(sink) {
      sink.onClose(leave);
      body.start(sink);
    },
  };
}
