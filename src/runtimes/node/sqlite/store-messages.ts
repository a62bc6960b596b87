/** What the store's thread and the main thread say to each other: batches of calls, batches of results. */
import type { SqliteStreamStore } from '../../../stores/sqlite/sqlite-stream-store.js';

type Methods = {
  [K in keyof SqliteStreamStore]: SqliteStreamStore[K] extends (...args: never[]) => unknown ? K : never;
}[keyof SqliteStreamStore];

export type StoreMethod = Exclude<Methods, 'forget'>;

export interface StoreCall {
  readonly method: StoreMethod;
  readonly args: readonly unknown[];
}

export interface StoreFault {
  readonly code: 'STORAGE_FULL' | 'STORAGE_UNAVAILABLE' | 'INTERNAL';
  readonly message: string;
}

export type StoreResult = { readonly value: unknown } | { readonly fault: StoreFault };

export type ToStore =
  | { readonly kind: 'batch'; readonly calls: readonly StoreCall[] }
  | { readonly kind: 'close' };

export type FromStore =
  | { readonly kind: 'ready'; readonly driver: string; readonly damaged: readonly string[] }
  | { readonly kind: 'failed'; readonly fault: StoreFault; readonly busy: boolean }
  | { readonly kind: 'results'; readonly results: readonly StoreResult[] }
  | { readonly kind: 'closed' };

/** Calls that write nothing need no commit. */
export const READING: ReadonlySet<StoreMethod> = new Set([
  'get',
  'chunks',
  'readHot',
  'unsealed',
  'forks',
  'expired',
  'list',
]);
