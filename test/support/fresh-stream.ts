import type { HotBytes, NewStream, StreamKey } from '../../src/streams/index.js';

/** Returns the key of a stream's first life; another life has its own name. */
export function keyFor(id: string, life = `life of ${id}`): StreamKey {
  return { id, life };
}

/** For hot spans of existing streams. */
export function hotBytes(read: HotBytes | 'cold' | 'removed'): HotBytes {
  if (typeof read === 'string') throw new Error(`no hot bytes: ${read}`);
  return read;
}

/** Returns a new stream for a store to create: empty, open and not a fork, unless a test changes it. */
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
