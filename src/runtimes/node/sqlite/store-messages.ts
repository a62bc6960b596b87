/** Messages between the store thread and the main thread: batches of calls, batches of results. */
import type { LooseData } from '../../../stores/sqlite/loose-data.js';
import type { SqliteProxyStore } from '../../../stores/sqlite/sqlite-proxy-store.js';
import type { SqliteStreamStore } from '../../../stores/sqlite/sqlite-stream-store.js';
import type { SqliteSubscriptionStore } from '../../../stores/sqlite/sqlite-subscription-store.js';
import type { StreamKey } from '../../../streams/index.js';

/** The stores that share one file, its thread and its transactions. */
export interface Stores {
  readonly streams: SqliteStreamStore;
  readonly subscriptions: SqliteSubscriptionStore;
  readonly proxy: SqliteProxyStore;
  readonly loose: LooseData;
}

export type StoreName = keyof Stores;

/** Without `store` it is for streams: nearly every call is, and every byte of a message is copied. */
export interface StoreCall {
  readonly store?: StoreName;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface StoreFault {
  readonly code: 'STORAGE_FULL' | 'STORAGE_UNAVAILABLE' | 'DATA_VERSION_UNKNOWN' | 'INTERNAL';
  readonly message: string;
}

export type StoreResult = { readonly value: unknown } | { readonly fault: StoreFault };

export type ToStore =
  | { readonly kind: 'batch'; readonly calls: readonly StoreCall[] }
  /** Moves the log into the database file, and nothing more until it thaws. */
  | { readonly kind: 'freeze' | 'thaw' }
  | { readonly kind: 'close' };

export type StoredByTenant = readonly (readonly [tenant: string, bytes: number])[];

export type FromStore =
  | {
      readonly kind: 'ready';
      readonly driver: string;
      readonly damaged: readonly StreamKey[];
      /** Behind this stream tails are unchecked; null if none is. */
      readonly uncheckedAfter: string | null;
      readonly stored: StoredByTenant;
    }
  | { readonly kind: 'failed'; readonly fault: StoreFault; readonly busy: boolean }
  | {
      readonly kind: 'results';
      readonly results: readonly StoreResult[];
      /** For how long the thread was held. */
      readonly heldMs: number;
      /** Data waits to be cleared away. */
      readonly hasUnused: boolean;
    }
  | { readonly kind: 'frozen'; readonly fault?: StoreFault; readonly pausedMs: number }
  | { readonly kind: 'closed' };

/** Calls that write nothing need no commit. */
const READING: { readonly [Name in StoreName]: ReadonlySet<keyof Stores[Name]> } = {
  streams: new Set([
    'get',
    'chunks',
    'readHot',
    'arrivals',
    'listPage',
    'unsealed',
    'forks',
    'softDeleted',
    'list',
  ]),
  subscriptions: new Set(['get', 'list', 'links', 'newsFirst']),
  proxy: new Set(['pumps']),
  loose: new Set(),
};

export function isReading(call: StoreCall): boolean {
  return (READING[call.store ?? 'streams'] as ReadonlySet<string>).has(call.method);
}

/** Calls that write or free much, and that no caller waits for. */
export function isBackground({ store, method }: StoreCall): boolean {
  return store === 'loose' || method === 'markCold';
}
