import type { HotBytes, NewStream, StreamKey } from '../../src/streams/index.js';

/** The first life of a stream in a test; another has a name of its own. */
export function keyFor(id: string, life = `life of ${id}`): StreamKey {
  return { id, life };
}

/** For spans that are hot, of streams that exist. */
export function hotBytes(read: HotBytes | 'cold' | 'removed'): HotBytes {
  if (typeof read === 'string') throw new Error(`no hot bytes: ${read}`);
  return read;
}

/** A new stream as a store is asked for it: empty, open and no fork, unless a test says otherwise. */
export function freshStream(id: string, change: Partial<NewStream> = {}): NewStream {
  return {
    ...keyFor(id),
    hash: 'abcde',
    contentType: 'text/plain',
    createdAt: 0,
    ttlSeconds: null,
    expiresAt: null,
    closed: false,
    start: { chunk: 0, position: 0 },
    inheritedBytes: 0,
    ancestors: [],
    metadata: null,
    data: null,
    collection: 'stream/test',
    openMax: 100_000,
    ...change,
  };
}
