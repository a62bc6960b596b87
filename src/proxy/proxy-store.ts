/**
 * What the proxy keeps besides its streams: which pumps run, so that a crash leaves no reader waiting, and what
 * became of creates that carried a key. Every operation is atomic and durable when its promise resolves.
 */
import type { StreamKey } from '../streams/index.js';

export interface ProxyStore {
  /** A pump is about to fill this stream. */
  pumpStarted(stream: StreamKey): Promise<void>;
  pumpEnded(stream: StreamKey): Promise<void>;
  /** Streams whose pump was started and not ended, in the order of their lives. */
  pumps(afterLife: string, limit: number): Promise<readonly StreamKey[]>;
  /** Takes the key, or gives what is known under it; a record whose time is over counts as none. */
  beginCreate(create: KeyedCreate): Promise<CreateRecord | undefined>;
  /** Stores the outcome, and the fingerprint if it was not known at the start. */
  endCreate(key: string, result: CreateResult, fingerprint?: string): Promise<void>;
  /** Frees a key under which nothing was sent. */
  dropCreate(key: string): Promise<void>;
  /** Forgets records whose time is over, at most `limit`; returns how many. */
  sweepCreates(now: number, limit: number): Promise<number>;
}

export interface KeyedCreate {
  /** A digest of the tenant and its key. */
  readonly key: string;
  /** A digest of the request. */
  readonly fingerprint: string;
  readonly now: number;
  readonly expiresAt: number;
}

export interface CreateRecord {
  readonly fingerprint: string;
  /** Null while it is under way, or was when the process ended. */
  readonly result: CreateResult | null;
}

export type CreateResult =
  | { readonly kind: 'stream'; readonly id: string }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
    };
