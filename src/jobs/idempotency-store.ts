/**
 * The port for `Idempotency-Key`: a create with a key happens once, and a repeat gets the first response. The record is
 * written before the create runs and holds the id that the create must use. If the process dies in the middle, the
 * repeated create uses the same id and finds what already exists.
 */
export interface IdempotencyRequest {
  readonly tenantId: string;
  readonly key: string;
  /** A digest of method, path and body; 64 hex digits. */
  readonly fingerprint: string;
  /** Identifies this attempt; only it may finish or abandon. */
  readonly owner: string;
  /** The id of the new resource, unless the key is already in use. */
  readonly newId: string;
  /** After this long without a response the attempt counts as dead. */
  readonly inFlightMs: number;
  readonly keepMs: number;
  /** How many keys a tenant may have at a time. */
  readonly keysMax: number;
}

export interface StoredResponse {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

export type IdempotencyOutcome =
  | { readonly kind: 'begun'; readonly id: string }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'full' }
  | { readonly kind: 'replayed'; readonly response: StoredResponse };

export type IdempotencyOwner = Pick<IdempotencyRequest, 'tenantId' | 'key' | 'owner'>;

export interface IdempotencyStore {
  begin(request: IdempotencyRequest): Promise<IdempotencyOutcome>;
  finish(owner: IdempotencyOwner, response: StoredResponse): Promise<void>;
  /** The create failed and may be retried with the same key. */
  abandon(owner: IdempotencyOwner): Promise<void>;
  /** Removes expired entries; returns how many. */
  prune(limit: number): Promise<number>;
}
