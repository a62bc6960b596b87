/**
 * The port behind which subscriptions are kept. It is per subscription: no operation but `notice`, which is many in one,
 * touches two, nor any stream. What a subscription knows of a stream is a link: how far it was acknowledged, and how far the stream
 * reached when it was last looked at, so that whether there is news is decided here and at once. Every
 * operation is atomic and durable when its promise resolves.
 */
import type { Position } from '../offset.js';
import type { SubscriptionMode, WakeEvent, WakeRefusal, WakeState } from './decide-wake.js';

export interface SubscriptionStore {
  /** Inserts unless it exists or the tenant has `perTenant` already; links are part of the same step. */
  create(subscription: NewSubscription, perTenant: number): Promise<CreateOutcome>;
  get(key: SubscriptionKey): Promise<SubscriptionRecord | undefined>;
  /** Removes every trace. */
  remove(key: SubscriptionKey): Promise<void>;
  /** All subscriptions, in order of tenant and id. */
  list(after: SubscriptionKey | null, limit: number): Promise<readonly SubscriptionRecord[]>;
  /** In order of path. */
  links(key: SubscriptionKey, after: string, limit: number): Promise<readonly SubscriptionLink[]>;
  /** Links with news first. */
  newsFirst(key: SubscriptionKey, limit: number): Promise<readonly SubscriptionLink[]>;
  /** Follows streams by name; what is already linked keeps its place. All or none. */
  link(key: SubscriptionKey, links: readonly NewLink[], linksMax: number): Promise<LinkOutcome>;
  /** The stream is no longer followed by name; `keep` leaves the link for the pattern's sake. */
  unlink(key: SubscriptionKey, path: string, keep: boolean): Promise<void>;
  /**
   * The same step for each: streams that it follows were looked at. Null where nothing is to be done: its wake is as it was
   * and every link is kept.
   */
  notice(
    noticed: readonly Noticed[],
    facts: Omit<StepContext, 'newWakeId'>,
  ): Promise<readonly (StepOutcome | null)[]>;
  /** Decided and written in one step (`decide-wake.ts`), so two callers cannot both be right. */
  step(key: SubscriptionKey, event: SubscriptionEvent, facts: StepContext): Promise<StepOutcome>;
}

export interface SubscriptionKey {
  readonly tenant: string;
  readonly id: string;
}

export interface SubscriptionConfig extends SubscriptionKey {
  readonly mode: SubscriptionMode;
  readonly pattern: string | null;
  /** The receiver's URL, sealed: it may carry a credential, and such never rest in clear. */
  readonly webhookSealed: string | null;
  readonly wakeStream: string | null;
  readonly leaseMs: number;
  readonly description: string | null;
  readonly createdAt: number;
  /** Distinguishes this subscription from an earlier one of the same name, whose tokens are void. */
  readonly nonce: string;
  /** Under which the creator knows this server; callbacks go there. */
  readonly baseUrl: string;
  /** Keyed hash of the requested configuration: a repeated create must have the same. */
  readonly configHash: string;
}

export interface SubscriptionRecord extends SubscriptionConfig {
  readonly wake: WakeState;
}

export interface NewSubscription extends SubscriptionConfig {
  readonly links: readonly NewLink[];
}

/** A stream as of its last check. */
export interface SeenStream {
  readonly hash: string;
  readonly tail: Position;
}

export interface NewLink {
  readonly path: string;
  readonly explicit: boolean;
  /** Everything up to here counts as acknowledged; null while there is no such stream. */
  readonly stream: SeenStream | null;
}

export interface SubscriptionLink {
  readonly path: string;
  readonly explicit: boolean;
  readonly stream: SeenStream | null;
  readonly acked: Position | null;
  readonly pending: boolean;
}

/** The result of checking a stream; null if it no longer exists. */
export interface Look {
  readonly path: string;
  readonly stream: SeenStream | null;
}

/** `at` is acknowledged; the stream reached `stream.tail` when this was checked. */
export interface Ack {
  readonly path: string;
  readonly at: Position;
  readonly stream: SeenStream;
}

/** An event and what it says of streams: `noticed` brings looks; what acknowledges brings acks. */
export interface SubscriptionEvent {
  readonly wake: WakeEvent;
  readonly looks?: readonly Look[];
  /** Acks that a caller made are refused if one is unknown or goes back; a wake's own are taken as far as they go. */
  readonly acks?: { readonly entries: readonly Ack[]; readonly strict: boolean };
}

export interface Noticed {
  readonly key: SubscriptionKey;
  readonly looks: readonly Look[];
  readonly newWakeId: string;
}

export interface StepContext {
  readonly now: number;
  readonly newWakeId: string;
  readonly attemptsMax: number;
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
      /** Links that went because their stream did. */
      readonly dropped: readonly string[];
      /** Streams that could not be linked because there are too many. */
      readonly overflow: number;
    };
