/** The streams of a tenant for its subscriptions; each stream is read from its own object. */
import type { FollowedStreams, StreamState } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { hotBufferOf } from '../streams/hot-buffer-rpc.js';
import { unwrap } from '../wire-faults.js';
import type { StreamIndex } from './stream-index.js';

/** The maximum page size, because an invocation may make a limited number of calls. */
const PAGE_MAX = 100;

export function createFollowedStreams(env: EdgeEnv, index: StreamIndex): FollowedStreams {
  const find = (id: string) => unwrap(hotBufferOf(env, id).find(id));
  return {
    find,
    gaveOut: (stream, at) => unwrap(hotBufferOf(env, stream.id).gaveOut(stream, at)),
    appendMessage: (id, message) => unwrap(hotBufferOf(env, id).appendMessage(id, message)),
    async list(after, limit) {
      const found: StreamState[] = [];
      // A short page means the end of the list, so ids of removed streams are replaced by the next ones.
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
