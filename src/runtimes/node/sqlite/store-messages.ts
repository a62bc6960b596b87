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

export type StoreMethod<N extends StoreName = 'streams'> = Exclude<
  { [K in keyof Stores[N]]: Stores[N][K] extends (...args: never[]) => unknown ? K : never }[keyof Stores[N]],
  'forget' | 'flush' | 'skipChunks' | 'damagedStreams' | 'fillTotals' | 'storedBytes' | 'use' | 'letGo'
>;

/** Names no store where it is for streams: nearly every call is, and every byte of a message is copied. */
export type StoreCall =
  | { readonly store?: 'streams'; readonly method: StoreMethod; readonly args: readonly unknown[] }
  | {
      readonly store: 'subscriptions';
      readonly method: StoreMethod<'subscriptions'>;
      readonly args: readonly unknown[];
    }
  | { readonly store: 'proxy'; readonly method: StoreMethod<'proxy'>; readonly args: readonly unknown[] }
  | { readonly store: 'loose'; readonly method: StoreMethod<'loose'>; readonly args: readonly unknown[] };

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
const READING: { readonly [N in StoreName]: ReadonlySet<StoreMethod<N>> } = {
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

/** Calls that write much, or free it, while nobody waits for them. */
export function isBackground({ store, method }: StoreCall): boolean {
  return store === 'loose' || method === 'markCold';
}
