/** The results of a store without a stream. Only a create needs the real store. */
import type { SyncPort } from '../../../stores/sqlite/sync-port.js';
import type { StreamStore } from '../../../streams/index.js';

export const ABSENT_STREAM: Partial<SyncPort<StreamStore>> = {
  get: () => undefined,
  append: () => ({ kind: 'missing' }),
  chunks: () => [],
  readHot: () => 'removed',
  arrivals: () => 'removed',
  listPage: () => ({ streams: [], next: null }),
  markCold: () => false,
  unsealed: () => [],
  touch: () => undefined,
  remove: () => undefined,
  addFork: () => false,
  removeFork: () => 0,
  forks: () => [],
  expired: () => ({ ids: [], looked: 0 }),
  softDeleted: () => [],
  list: () => [],
  markCorrupt: () => undefined,
};
