/** Messages between the records thread and the main thread: batches of calls, batches of results. */
import type { ErrorCode, ErrorDetails } from '../../../errors.js';
import type { RecordStores } from '../../../stores/sqlite/record-stores.js';

/** What the thread is started with. */
export interface RecordsFile {
  readonly path: string;
  /** Of each pair; the product's own number unless given. */
  readonly comparisonsKept?: number;
}

export type RecordStoreName = keyof RecordStores;

/** Which method a store has is checked where the call is made: the stores' own types are the protocol. */
export interface RecordCall {
  readonly store: RecordStoreName;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface RecordFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
}

export type RecordResult = { readonly value: unknown } | { readonly fault: RecordFault };

export type ToRecords =
  | { readonly kind: 'batch'; readonly calls: readonly RecordCall[] }
  | { readonly kind: 'close' };

export type FromRecords =
  | { readonly kind: 'ready'; readonly stores: readonly RecordStoreName[] }
  | { readonly kind: 'failed'; readonly fault: RecordFault }
  /** `heldMs`: for how long the thread was held. */
  | { readonly kind: 'results'; readonly results: readonly RecordResult[]; readonly heldMs: number }
  | { readonly kind: 'closed' };

/** Retention removes much, and no caller waits for it. */
export function isBackground({ method }: RecordCall): boolean {
  return method === 'prune';
}
