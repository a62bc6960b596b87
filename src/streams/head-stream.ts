/** HEAD: the properties of a stream, without its bytes. It does not renew a time to live. */
import { openStream } from './open-stream.js';
import type { StreamDeps } from './stream-deps.js';
import { closedHeader, nextOffset, stateHeaders } from './stream-headers.js';
import type { StreamCall, StreamResponse } from './stream-response.js';

export async function headStream(deps: StreamDeps, call: StreamCall): Promise<StreamResponse> {
  const state = await openStream(deps, call.id);
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
