/** A tenant's streams as its subscriptions see them: each read from its own object. */
import type { FollowedStreams, StreamState } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { hotBufferOf } from '../streams/hot-buffer-rpc.js';
import { received } from '../wire-faults.js';
import type { StreamIndex } from './stream-index.js';

/** One invocation may make a bounded number of calls, so a page is no longer than this. */
const PAGE_MAX = 100;

export function createFollowedStreams(env: EdgeEnv, index: StreamIndex): FollowedStreams {
  const find = (id: string) => received(hotBufferOf(env, id).find(id));
  return {
    find,
    gaveOut: (stream, at) => received(hotBufferOf(env, stream.id).gaveOut(stream, at)),
    appendMessage: (id, message) => received(hotBufferOf(env, id).appendMessage(id, message)),
    async list(after, limit) {
      const found: StreamState[] = [];
      // A page that comes back short means the end, so ids whose stream has gone are made up for.
      for (let from = after; found.length < limit; ) {
        const ids = index.list(from, Math.min(PAGE_MAX, limit - found.length));
        const states = await Promise.all(ids.map(find));
        found.push(...states.filter((state) => state !== undefined));
        const last = ids.at(-1);
        if (last === undefined) break;
        from = last;
      }
      return found;
    },
  };
}
