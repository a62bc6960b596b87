/** Every bound of subscriptions, with its default and the code it fails with. */
export interface SubscriptionLimits {
  /** Subscriptions of one tenant: `TOO_MANY_SUBSCRIPTIONS`. */
  readonly perTenant: number;
  /** Subscriptions and explicit streams of one tenant, which are kept in memory: `TOO_MANY_SUBSCRIPTIONS`. */
  readonly indexEntries: number;
  /** Streams one subscription follows, named or matched: `SUBSCRIPTION_TOO_LARGE`, and a log line for an append. */
  readonly links: number;
  /** Links that are made in the commit of a create; the rest follows in the background. */
  readonly linksAtOnce: number;
  /** Streams named in one request, and acks in one: `SUBSCRIPTION_TOO_LARGE`. */
  readonly streamsPerRequest: number;
  /** Streams listed in one wake; the rest comes with the next. */
  readonly streamsPerWake: number;
  /** Deliveries of all tenants at once; more wait their turn. */
  readonly deliveries: number;
  readonly deliveriesPerTenant: number;
  /** Attempts to deliver one wake; then only a new append or a restart tries again. */
  readonly attempts: number;
}

export const DEFAULT_SUBSCRIPTION_LIMITS: SubscriptionLimits = {
  perTenant: 1_000,
  indexEntries: 200_000,
  links: 10_000,
  linksAtOnce: 1_000,
  streamsPerRequest: 1_000,
  streamsPerWake: 1_000,
  deliveries: 32,
  deliveriesPerTenant: 8,
  attempts: 20,
};

/** The protocol's own bounds of a lease. */
export const LEASE_MS = { min: 1_000, max: 600_000, fallback: 30_000 } as const;

/** Characters of what a caller names: `INVALID_REQUEST`. */
export const CHARS_MAX = {
  path: 1_024,
  pattern: 1_024,
  url: 2_048,
  description: 1_024,
  worker: 256,
};

/** A pattern's parts: `INVALID_REQUEST`. */
export const SEGMENTS_MAX = 64;

/** A request's body: `BODY_TOO_LARGE`. Parsing this much takes less than 20 ms of processor time. */
export const SUBSCRIPTION_BODY_BYTES_MAX = 256 * 1024;
