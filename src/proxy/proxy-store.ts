/**
 * What the proxy stores in addition to its streams: the running pumps, so that a crash leaves no reader waiting, the
 * outcomes of keyed creates, and every attempt to call an upstream. Every operation is atomic, and durable when its
 * promise resolves.
 */
import type { StreamKey } from '../streams/index.js';
import type { UpstreamFault, UpstreamOutcome } from './upstream-outcome.js';

export interface ProxyStore {
  /** Records that a pump is about to fill this stream. */
  pumpStarted(stream: StreamKey): Promise<void>;
  /** `attempt` is the one whose response the pump received. */
  pumpEnded(stream: StreamKey, attempt?: AttemptProgress): Promise<void>;
  /** Streams whose pump was started and has not ended, ordered by life. */
  pumps(afterLife: string, limit: number): Promise<readonly StreamKey[]>;
  /** A record that ended before `now` counts as none. */
  findCreate(key: string, now: number): Promise<CreateRecord | undefined>;
  /**
   * Claims the key for an attempt and stores the attempt, or returns the key's record. Attempt n > 1 is claimed only
   * while the outcome of attempt n - 1 is the last one, so of several callers one succeeds.
   */
  beginCreate(create: KeyedCreate): Promise<CreateRecord | undefined>;
  /** Stores the outcome of the key's last attempt. */
  endCreate(key: string, end: CreateEnd): Promise<void>;
  /** Frees a key under which nothing was sent, or gives it back the outcome of its previous attempt. */
  dropCreate(key: string, attempt?: AttemptKey, previous?: CreateResult): Promise<void>;
  /** Stores the attempt of a call without a key, and what is already known of it. */
  attemptStarted(attempt: NewAttempt, progress?: AttemptProgress): Promise<void>;
  attemptProgressed(attempt: AttemptProgress): Promise<void>;
  /** The attempts of a response, in order. */
  attempts(response: string): Promise<readonly Attempt[]>;
  dropAttempts(response: string): Promise<void>;
  /** Attempts without an outcome, ordered by response and number. */
  openAttempts(after: AttemptKey, limit: number): Promise<readonly Attempt[]>;
  /** The responses of a tenant's oldest ended attempts without a head, if there are more than `keep`. */
  headlessBeyond(tenant: string, keep: number, limit: number): Promise<readonly string[]>;
  /** Deletes at most `limit` expired keys, and as many expired attempts; returns how many. */
  sweepCreates(now: number, limit: number): Promise<number>;
}

export interface AttemptKey {
  /** The id of the response. It stays the same for all attempts of a key. */
  readonly response: string;
  /** From 1. */
  readonly n: number;
}

export interface NewAttempt extends AttemptKey {
  readonly tenant: string;
  readonly method: string;
  /** The upstream's URL, redacted. */
  readonly target: string;
  readonly route: string | null;
  readonly startedAt: number;
  readonly expiresAt: number;
}

/** What has become known of an attempt. Fields that are absent keep their value. */
export interface AttemptProgress extends AttemptKey {
  readonly headAt?: number;
  readonly status?: number;
  readonly outcome?: UpstreamOutcome;
  readonly error?: UpstreamFault;
  /** Bytes received of the body. */
  readonly bytes?: number;
}

export interface Attempt extends NewAttempt {
  readonly headAt: number | null;
  readonly status: number | null;
  /** Null while it runs. */
  readonly outcome: UpstreamOutcome | null;
  readonly error: UpstreamFault | null;
  readonly bytes: number;
}

export interface KeyedCreate {
  /** A digest of the tenant and its key. */
  readonly key: string;
  /** A digest of the request, as far as it is known before the request is sent. */
  readonly fingerprint: string;
  /** A record that ended before this counts as none. */
  readonly now: number;
  readonly expiresAt: number;
  /** Absent if the key is claimed so that nothing is sent. */
  readonly attempt?: NewAttempt;
}

export interface CreateRecord {
  readonly fingerprint: string;
  /** The fingerprint of a streamed request, once its whole body was read. */
  readonly digest: string | null;
  /** Null while an attempt is in progress, or if the process ended during it. */
  readonly result: CreateResult | null;
  /** The response that the attempts of this key belong to; null in records of older versions. */
  readonly response: string | null;
  /** The number of the last attempt. */
  readonly attempt: number;
}

export interface CreateEnd {
  readonly result: CreateResult;
  readonly digest?: string | undefined;
  readonly attempt?: AttemptProgress;
}

export type CreateResult =
  | { readonly kind: 'stream'; readonly id: string }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
      /** The attempt is over, but not the key: a repeat is sent again. */
      readonly repeatable?: boolean;
    };
