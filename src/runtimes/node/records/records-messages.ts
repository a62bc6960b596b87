/** The messages between the records thread and the main thread: batches of calls and of results. */
import type { ErrorCode, ErrorDetails } from '../../../errors.js';
import type { RecordStores } from '../../../stores/sqlite/record-stores.js';

export interface RecordsFile {
  readonly path: string;
  /** Per pair; the default number if absent. */
  readonly comparisonsKept?: number;
}

export type RecordStoreName = keyof RecordStores;

/** The types of the stores are the protocol, so methods are checked where the call is made. */
export interface RecordCall {
  readonly store: RecordStoreName;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface RecordFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
  /** What the driver said, for the log. */
  readonly cause?: string;
}

export type RecordResult = { readonly value: unknown } | { readonly fault: RecordFault };

export type ToRecords =
  | { readonly kind: 'batch'; readonly calls: readonly RecordCall[] }
  | { readonly kind: 'close' };

export type FromRecords =
  | { readonly kind: 'ready'; readonly methods: Readonly<Record<RecordStoreName, readonly string[]>> }
  | { readonly kind: 'failed'; readonly fault: RecordFault }
  /** `heldMs` is how long the thread was busy. */
  | { readonly kind: 'results'; readonly results: readonly RecordResult[]; readonly heldMs: number }
  | { readonly kind: 'closed' };

/** Retention deletes many rows, and no caller waits for it. */
export function isBackground({ method }: RecordCall): boolean {
  return method === 'prune';
}
