/** What a store answers that holds no stream. A create and the announcement of a fork are for a real one. */
import type { SyncPort } from '../../../stores/sqlite/sync-port.js';
import type { StreamStore } from '../../../streams/index.js';

export const ABSENT_STREAM: Partial<SyncPort<StreamStore>> = {
  get: () => undefined,
  append: () => ({ kind: 'missing' }),
  chunks: () => [],
  readHot: () => ({ bytes: new Uint8Array(0), ends: [], corruptAt: null }),
  markCold: () => false,
  unsealed: () => [],
  touch: () => undefined,
  softDelete: () => undefined,
  remove: () => ({ cold: [] }),
  removeFork: () => 0,
  forks: () => [],
  expired: () => [],
  list: () => [],
  markCorrupt: () => undefined,
};
