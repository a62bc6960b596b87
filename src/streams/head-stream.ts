/** HEAD: what a stream is, without its bytes; looking does not renew a time to live. */
import { openStream } from './open-stream.js';
import type { StreamAnswer, StreamCall } from './stream-answer.js';
import { closedHeader, nextOffset, stateHeaders } from './stream-headers.js';
import type { StreamParts } from './stream-parts.js';

export async function headStream(parts: StreamParts, call: StreamCall): Promise<StreamAnswer> {
  const state = await openStream(parts, call.id);
  return {
    status: 200,
    headers: {
      ...stateHeaders(state),
      ...nextOffset(state),
      ...closedHeader(state.closed),
      'Cache-Control': 'no-store',
    },
    state,
  };
}
