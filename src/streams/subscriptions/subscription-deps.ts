/** What every operation on subscriptions works with. */
import type { Log } from '../../log.js';
import type { Position } from '../offset.js';
import type { AppendOutcome, StreamState } from '../stream-store.js';
import type { ReadTenantLimits } from '../tenant-limits.js';
import type { LateLinks } from './late-links.js';
import type { SubscriptionIndex } from './subscription-index.js';
import type { SubscriptionLimits } from './subscription-limits.js';
import type { SubscriptionStore } from './subscription-store.js';
import type { WakeRunner } from './wake-runner.js';
import type { SecretBox, WebhookSender, WebhookSigner } from './webhook-ports.js';

/** Streams, as far as subscriptions need them. */
export interface FollowedStreams {
  /** Undefined for one that is gone or whose time is over. */
  find(id: string): Promise<StreamState | undefined>;
  /** Whether the stream can have returned this position, which is not past its tail. */
  gaveOut(stream: StreamState, at: Position): Promise<boolean>;
  /** In order of id. */
  list(after: string, limit: number): Promise<readonly StreamState[]>;
  /** Appends one JSON message; like any append it wakes readers. */
  appendMessage(id: string, message: string): Promise<AppendOutcome['kind']>;
}

export interface SubscriptionBase {
  readonly store: SubscriptionStore;
  readonly streams: FollowedStreams;
  readonly outbound: WebhookSender;
  readonly signer: WebhookSigner;
  /** Keeps the URLs of receivers. */
  readonly box: SecretBox;
  /** Makes and checks callback tokens; a secret of its own. */
  readonly tokenKey: Uint8Array;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** From 0 up to 1: spreads retries. */
  readonly random: () => number;
  readonly limits: SubscriptionLimits;
  readonly index: SubscriptionIndex;
  readonly lateLinks: LateLinks;
  readonly tenantLimits: ReadTenantLimits;
  /** Of callback URLs, if it is configured; else where the subscription was made. */
  readonly publicUrl: string | undefined;
}

export interface SubscriptionDeps extends SubscriptionBase {
  readonly runner: WakeRunner;
}
