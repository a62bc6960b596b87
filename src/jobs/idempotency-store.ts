/**
 * The port of `Idempotency-Key`: a create under a key happens once, and a repeat gets the first response. The
 * record is made before the create runs and holds the id that the create must use, so that a create whose
 * process died half way is repeated under the same id and finds what it had made.
 */
export interface IdempotencyRequest {
  readonly tenantId: string;
  readonly key: string;
  /** Of method, path and body; 64 hex digits. */
  readonly fingerprint: string;
  /** Names this try; only it may finish or abandon. */
  readonly owner: string;
  /** The id for what is created, unless the key is already in use. */
  readonly newId: string;
  /** After this long without a response the try counts as dead. */
  readonly inFlightMs: number;
  readonly keepMs: number;
  /** Keys a tenant may have at once. */
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

export interface IdempotencyOwner {
  readonly tenantId: string;
  readonly key: string;
  readonly owner: string;
}

export interface IdempotencyStore {
  begin(request: IdempotencyRequest): Promise<IdempotencyOutcome>;
  finish(owner: IdempotencyOwner, response: StoredResponse): Promise<void>;
  /** The create failed and may be tried again under the same key. */
  abandon(owner: IdempotencyOwner): Promise<void>;
  /** Removes expired entries; returns how many. */
  prune(limit: number): Promise<number>;
}
