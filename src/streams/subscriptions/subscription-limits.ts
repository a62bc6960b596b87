/** All limits of subscriptions, with their defaults and error codes. */
export interface SubscriptionLimits {
  /** Subscriptions of one tenant: `TOO_MANY_SUBSCRIPTIONS`. */
  readonly perTenant: number;
  /** Subscriptions and explicit streams of one tenant, which are kept in memory: `TOO_MANY_SUBSCRIPTIONS`. */
  readonly indexEntries: number;
  /** Streams that one subscription follows: `SUBSCRIPTION_TOO_LARGE`, or a log line if an append exceeds it. */
  readonly links: number;
  /** Links that are written in the commit of a create; the others follow in the background. */
  readonly linksAtOnce: number;
  /** Streams, or acks, in one request: `SUBSCRIPTION_TOO_LARGE`. */
  readonly streamsPerRequest: number;
  /** Streams listed in one wake; the others come with the next wake. */
  readonly streamsPerWake: number;
  /** Concurrent deliveries for all tenants; further ones wait. */
  readonly deliveries: number;
  readonly deliveriesPerTenant: number;
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
};

/** The protocol's limits for a lease. */
export const LEASE_MS = { min: 1_000, max: 600_000, fallback: 30_000 } as const;

/** The maximum length of texts from callers: `INVALID_REQUEST`. */
export const CHARS_MAX = {
  path: 1_024,
  pattern: 1_024,
  url: 2_048,
  description: 1_024,
  worker: 256,
};

/** Segments of a pattern: `INVALID_REQUEST`. */
export const SEGMENTS_MAX = 64;

/** The size of a request body: `BODY_TOO_LARGE`. Parsing this much takes less than 20 ms of CPU time. */
export const SUBSCRIPTION_BODY_BYTES_MAX = 256 * 1024;
