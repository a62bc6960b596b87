/** The dependencies that all subscription operations share. */
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

export interface FollowedStreams {
  /** Returns undefined for a stream that is missing, removed or expired. */
  find(id: string): Promise<StreamState | undefined>;
  /** Whether the stream can have returned this position. The position must not be past the tail. */
  gaveOut(stream: StreamState, at: Position): Promise<boolean>;
  /** In id order. */
  list(after: string, limit: number): Promise<readonly StreamState[]>;
  /** Appends one JSON message; like any append it wakes readers. */
  appendMessage(id: string, message: string): Promise<AppendOutcome['kind']>;
}

export interface SubscriptionBase {
  readonly store: SubscriptionStore;
  readonly streams: FollowedStreams;
  readonly outbound: WebhookSender;
  readonly signer: WebhookSigner;
  readonly box: SecretBox;
  readonly tokenKey: Uint8Array;
  readonly log: Log;
  /** Milliseconds since the epoch; for dates that others see. */
  readonly clock: () => number;
  /** For leases and retries; does not follow steps of the wall clock. */
  readonly steady: () => number;
  /** Like `Math.random`; the jitter of retries. */
  readonly random: () => number;
  readonly limits: SubscriptionLimits;
  readonly index: SubscriptionIndex;
  readonly lateLinks: LateLinks;
  readonly tenantLimits: ReadTenantLimits;
  /** The base of callback URLs. Without it, the URL at which the subscription was created is used. */
  readonly publicUrl: string | undefined;
}

export interface SubscriptionDeps extends SubscriptionBase {
  readonly runner: WakeRunner;
}
