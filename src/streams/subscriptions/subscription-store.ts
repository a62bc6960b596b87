/**
 * The port for subscription storage. No operation touches a stream, and only `notice`, which is a batch, touches more
 * than one subscription. A link stores what a subscription knows about a stream: the acknowledged position, and the
 * tail at the last check. So the store can decide by itself whether there is pending work. Every operation is atomic,
 * and durable when its promise resolves.
 */
import type { Position } from '../offset.js';
import type { StreamState } from '../stream-store.js';
import type { SubscriptionMode, WakeEvent, WakeRefusal, WakeState } from './decide-wake.js';

export interface SubscriptionStore {
  /** Inserts the subscription and its links, unless it exists or the tenant already has `perTenant` subscriptions. */
  create(subscription: NewSubscription, perTenant: number): Promise<CreateOutcome>;
  get(key: SubscriptionKey): Promise<SubscriptionRecord | undefined>;
  remove(key: SubscriptionKey): Promise<void>;
  /** All subscriptions, in order of tenant and id. */
  list(after: SubscriptionKey | null, limit: number): Promise<readonly SubscriptionRecord[]>;
  /** In path order. */
  links(key: SubscriptionKey, after: string, limit: number): Promise<readonly SubscriptionLink[]>;
  /** Links with pending work come first. */
  newsFirst(key: SubscriptionKey, limit: number): Promise<readonly SubscriptionLink[]>;
  /** Follows streams by name. Existing links keep their acknowledged position. All links are written, or none. */
  link(key: SubscriptionKey, links: readonly NewLink[], linksMax: number): Promise<LinkOutcome>;
  /** Stops following the stream by name. `keep` leaves the link, because a pattern still matches the stream. */
  unlink(key: SubscriptionKey, path: string, keep: boolean): Promise<void>;
  /**
   * Applies the results of stream checks to several subscriptions. An outcome is null if there is nothing to do: the
   * wake is unchanged and no link was dropped.
   */
  notice(
    noticed: readonly Noticed[],
    context: Omit<StepContext, 'newWakeId'>,
  ): Promise<readonly (StepOutcome | null)[]>;
  /** Decides (`decide-wake.ts`) and writes in one transaction, so two conflicting calls cannot both succeed. */
  step(key: SubscriptionKey, event: SubscriptionEvent, context: StepContext): Promise<StepOutcome>;
}

export interface SubscriptionKey {
  readonly tenant: string;
  readonly id: string;
}

export interface SubscriptionConfig extends SubscriptionKey {
  readonly mode: SubscriptionMode;
  readonly pattern: string | null;
  /** The receiver's URL, sealed because it may contain a credential. */
  readonly webhookSealed: string | null;
  readonly wakeStream: string | null;
  readonly leaseMs: number;
  readonly description: string | null;
  readonly createdAt: number;
  /** Distinguishes this subscription from earlier ones with the same name, whose tokens are no longer valid. */
  readonly nonce: string;
  /** The server's URL as the creator used it; the base of callback URLs. */
  readonly baseUrl: string;
  /** A keyed hash of the requested configuration. A repeated create must have the same. */
  readonly configHash: string;
}

export interface SubscriptionRecord extends SubscriptionConfig {
  readonly wake: WakeState;
}

export interface NewSubscription extends SubscriptionConfig {
  readonly links: readonly NewLink[];
}

/** A stream as of its last check. */
export type SeenStream = Pick<StreamState, 'hash' | 'tail'>;

/** The result of checking a stream; `stream` is null if it does not exist. */
export interface StreamCheck {
  readonly path: string;
  readonly stream: SeenStream | null;
}

/** Everything up to the tail of `stream` counts as acknowledged. */
export interface NewLink extends StreamCheck {
  readonly explicit: boolean;
}

export interface SubscriptionLink extends NewLink {
  readonly acked: Position | null;
  readonly pending: boolean;
}

/** `at` is acknowledged; the stream reached `stream.tail` when this was checked. */
export interface Ack {
  readonly path: string;
  readonly at: Position;
  readonly stream: SeenStream;
}

/** An event with its stream checks (for `noticed`) or its acknowledgements. */
export interface SubscriptionEvent {
  readonly wake: WakeEvent;
  readonly checks?: readonly StreamCheck[];
  /** With `strict`, all acks are refused if one is unknown or moves backwards; otherwise such acks are skipped. */
  readonly acks?: { readonly entries: readonly Ack[]; readonly strict: boolean };
}

export interface Noticed {
  readonly key: SubscriptionKey;
  readonly checks: readonly StreamCheck[];
  readonly newWakeId: string;
}

export interface StepContext {
  readonly now: number;
  readonly newWakeId: string;
  readonly linksMax: number;
}

export type CreateOutcome =
  | { readonly kind: 'created' | 'exists'; readonly record: SubscriptionRecord }
  | { readonly kind: 'full' };

export type LinkOutcome = 'linked' | 'missing' | 'full';

export type StepOutcome =
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly why: WakeRefusal }
  | { readonly kind: 'bad_ack'; readonly path: string; readonly why: 'unknown' | 'regress' }
  | {
      readonly kind: 'accepted';
      readonly record: SubscriptionRecord;
      readonly nextWake: boolean;
      readonly dropped: readonly string[];
      readonly overflow: number;
    };
