/**
 * `live=raw`: only the bytes, first those that are stored, then new ones as they arrive. Nothing is framed or encoded,
 * so a reader whose connection breaks can resume by counting bytes (`skip`). The end of the response is not the end of
 * the stream: a reader reconnects until it gets `Stream-Closed: true`, which comes with the outcome. Once the upstream
 * has ended, the response is an ordinary read.
 */
import { formatOffset, type PlaceName, type StreamCall, type StreamResponse } from '../streams/index.js';
import type { ProxyDeps } from './proxy-deps.js';
import { readMetadata } from './proxy-metadata.js';

export async function readRaw(
  { streams }: ProxyDeps,
  call: StreamCall,
  start: PlaceName,
): Promise<StreamResponse> {
  const { state, from } = await streams.locate(call.id, start);
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
