/**
 * Lists of streams as the Worker's app has them: the tenant's object gives the page, and each open stream's own object what
 * appends have changed since.
 */
import type { StreamLists } from '../../../api/routes/stream-list.js';
import { isExpired, type ListedStream, type StreamState } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { hotBufferOf } from '../streams/hot-buffer-rpc.js';
import { received } from '../wire-faults.js';
import { ledgerOf } from './ledger-rpc.js';

export function createRemoteStreamLists(env: EdgeEnv): StreamLists {
  return {
    async page(query) {
      const [collection = ''] = query.collections;
      const tenant = collection.slice(collection.indexOf('/') + 1);
      const page = await received(ledgerOf(env, tenant).listStreams(query));
      const fresh = await Promise.all(page.streams.map((stream) => refreshed(env, stream)));
      const now = Date.now();
      return {
        ...page,
        streams: fresh.filter((stream) => stream !== undefined).filter((stream) => !isExpired(stream, now)),
      };
    },
    timing: (id, query) => received(hotBufferOf(env, id).timing(id, query)),
  };
}

/** A closed stream changes no more, unless reading it prolongs its life. */
async function refreshed(env: EdgeEnv, stream: ListedStream): Promise<ListedStream | undefined> {
  if (stream.closed && stream.ttlSeconds === null) return stream;
  const found = await received(hotBufferOf(env, stream.id).storeCall('get', [stream.id]));
  const state = found as StreamState | undefined;
  return state?.deleted ? undefined : state;
}
