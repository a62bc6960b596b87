/**
 * `live=raw`: the bytes alone, first what there is, then what comes. Nothing is framed or encoded, so a reader
 * whose connection breaks anywhere knows where it stands by counting (`skip`). Its end does not show the
 * upstream's: a reader comes back until `Stream-Closed: true`, which comes with the outcome. Once the upstream
 * has ended everything is known beforehand, and the response is an ordinary read.
 */
import { formatOffset, type StreamCall, type StreamResponse } from '../streams/index.js';
import type { ProxyDeps } from './proxy-deps.js';
import { readMetadata } from './proxy-metadata.js';
import type { ReadFrom } from './read-from.js';

export async function readRaw(
  { streams }: ProxyDeps,
  call: StreamCall,
  name: ReadFrom,
): Promise<StreamResponse> {
  const { state, from } = await streams.locate(call.id, name);
  if (state.closed) {
    return streams.read({ ...call, query: new URLSearchParams({ offset: formatOffset(state.hash, from) }) });
  }
  const share = await streams.readerShare(state);
  return {
    status: 200,
    headers: {
      'Content-Type': state.contentType,
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
    body: streams.followRaw({
      state,
      from,
      bounded: true,
      ...(share && { share }),
      isComplete: (ended) => readMetadata(ended).outcome === 'completed',
    }),
  };
}
