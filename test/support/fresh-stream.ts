import type { NewStream } from '../../src/streams/index.js';

/** A new stream as a store is asked for it: empty, open and no fork, unless a test says otherwise. */
export function freshStream(id: string, change: Partial<NewStream> = {}): NewStream {
  return {
    id,
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
    openMax: 100_000,
    ...change,
  };
}
