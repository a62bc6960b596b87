/** The messages between the store thread and the main thread: batches of calls and of results. */
import type { StreamClock } from '../../../stores/sqlite/accept-step.js';
import type { LooseData } from '../../../stores/sqlite/loose-data.js';
import {
  PROXY_READING,
  STREAM_READING,
  SUBSCRIPTION_READING,
} from '../../../stores/sqlite/reading-methods.js';
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
  readonly clock: StreamClock;
}

export type StoreName = keyof Stores;

/** Without `store` the call is for streams. Nearly every call is, and every byte of a message is copied. */
export interface StoreCall {
  readonly store?: StoreName;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface StoreFault {
  readonly code: 'STORAGE_FULL' | 'STORAGE_UNAVAILABLE' | 'DATA_VERSION_UNKNOWN' | 'INTERNAL';
  readonly message: string;
  /** What the driver said, for the log. */
  readonly cause?: string;
}

export type StoreResult = { readonly value: unknown } | { readonly fault: StoreFault };

export type ToStore =
  | { readonly kind: 'batch'; readonly calls: readonly StoreCall[] }
  /** `freeze` checkpoints the log, and stops checkpoints until `thaw`. */
  | { readonly kind: 'freeze' | 'thaw' }
  | { readonly kind: 'close' };

export type StoredByTenant = readonly (readonly [tenant: string, bytes: number])[];

export type FromStore =
  | {
      readonly kind: 'ready';
      readonly methods: Readonly<Record<StoreName, readonly string[]>>;
      readonly damaged: readonly StreamKey[];
      /** The tails of streams after this id are unchecked; null if all are checked. */
      readonly uncheckedAfter: string | null;
      readonly stored: StoredByTenant;
    }
  | { readonly kind: 'failed'; readonly fault: StoreFault; readonly busy: boolean }
  | {
      readonly kind: 'results';
      readonly results: readonly StoreResult[];
      /** How long the thread was busy. */
      readonly heldMs: number;
      readonly hasUnused: boolean;
    }
  | { readonly kind: 'frozen'; readonly fault?: StoreFault; readonly pausedMs: number }
  | { readonly kind: 'closed' };

const READING: Readonly<Record<StoreName, ReadonlySet<string>>> = {
  streams: STREAM_READING,
  subscriptions: SUBSCRIPTION_READING,
  proxy: PROXY_READING,
  loose: new Set(),
  clock: new Set(['load']),
};

export function isReading(call: StoreCall): boolean {
  return READING[call.store ?? 'streams'].has(call.method);
}

/** Writes of acknowledged data that is not in a stream. */
export function isUnmarked(call: StoreCall): boolean {
  return (call.store === 'subscriptions' || call.store === 'proxy') && !isReading(call);
}

/** Calls that write or free a lot, and that no caller waits for. */
export function isBackground({ store, method }: StoreCall): boolean {
  return store === 'loose' || method === 'markCold';
}
