/**
 * Lists of streams for the Worker. The tenant's object returns the page, and the object of each open stream its current
 * state.
 */
import type { StreamLists } from '../../../api/routes/stream-list.js';
import { isExpired, type ListedStream, type StreamState } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { hotBufferOf } from '../streams/hot-buffer-rpc.js';
import { unwrap } from '../wire-faults.js';
import { ledgerOf } from './ledger-rpc.js';

export function createRemoteStreamLists(env: EdgeEnv): StreamLists {
  return {
    async page(query) {
      const [collection = ''] = query.collections;
      const tenant = collection.slice(collection.indexOf('/') + 1);
      const page = await unwrap(ledgerOf(env, tenant).listStreams(query));
      const fresh = await Promise.all(page.streams.map((stream) => refresh(env, stream)));
      const now = Date.now();
      return {
        ...page,
        streams: fresh.filter((stream) => stream !== undefined).filter((stream) => !isExpired(stream, now)),
      };
    },
    timing: (id, query) => unwrap(hotBufferOf(env, id).timing(id, query)),
  };
}

/** A closed stream does not change, unless reading it renews its time to live. */
async function refresh(env: EdgeEnv, stream: ListedStream): Promise<ListedStream | undefined> {
  if (stream.closed && stream.ttlSeconds === null) return stream;
  const found = await unwrap(hotBufferOf(env, stream.id).storeCall('get', [stream.id]));
  const state = found as StreamState | undefined;
  return state?.deleted ? undefined : state;
}
