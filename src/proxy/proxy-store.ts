/**
 * What the proxy stores in addition to its streams: the running pumps, so that a crash leaves no reader waiting, and
 * the outcomes of keyed creates. Every operation is atomic, and durable when its promise resolves.
 */
import type { StreamKey } from '../streams/index.js';

export interface ProxyStore {
  /** Records that a pump is about to fill this stream. */
  pumpStarted(stream: StreamKey): Promise<void>;
  pumpEnded(stream: StreamKey): Promise<void>;
  /** Streams whose pump was started and has not ended, ordered by life. */
  pumps(afterLife: string, limit: number): Promise<readonly StreamKey[]>;
  /** A record that ended before `now` counts as none. */
  findCreate(key: string, now: number): Promise<CreateRecord | undefined>;
  /** Claims the key, or returns its record. */
  beginCreate(create: KeyedCreate): Promise<CreateRecord | undefined>;
  /** Stores the outcome, and the fingerprint if it was not known at the start. */
  endCreate(key: string, result: CreateResult, fingerprint?: string): Promise<void>;
  /** Frees a key under which nothing was sent. */
  dropCreate(key: string): Promise<void>;
  /** Deletes at most `limit` expired records; returns how many. */
  sweepCreates(now: number, limit: number): Promise<number>;
}

export interface KeyedCreate {
  /** A digest of the tenant and its key. */
  readonly key: string;
  /** A digest of the request. */
  readonly fingerprint: string;
  /** A record that ended before this counts as none. */
  readonly now: number;
  readonly expiresAt: number;
}

export interface CreateRecord {
  readonly fingerprint: string;
  /** Null while the create is in progress, or if the process ended during it. */
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
