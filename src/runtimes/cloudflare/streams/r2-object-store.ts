/** Cold segments in R2. A put is durable when it resolves, and writing the same bytes again changes nothing. */
import type { ObjectStore } from '../../../streams/index.js';

export function createR2ObjectStore(bucket: R2Bucket): ObjectStore {
  return {
    async put(key, bytes) {
      await bucket.put(key, bytes);
    },
    async get(key) {
      const found = await bucket.get(key);
      return found === null ? undefined : new Uint8Array(await found.arrayBuffer());
    },
    remove: (key) => bucket.delete(key),
  };
}
