/**
 * The limits of one tenant. Limits are never shared: a tenant at its limit must not cause a refusal for another.
 */
export interface TenantLimits {
  /** Streams that are not closed: `TOO_MANY_STREAMS`. */
  readonly openStreams: number;
  /** Subscriptions: `TOO_MANY_SUBSCRIPTIONS`. */
  readonly subscriptions: number;
  /** Subscriptions and the streams that they name, which are kept in memory: `TOO_MANY_SUBSCRIPTIONS`. */
  readonly subscriptionEntries: number;
  /** Upstream responses in progress: `TOO_MANY_STREAMS`. */
  readonly proxyStreams: number;
  /** Live readers of its streams: `TOO_MANY_READERS`. */
  readonly liveReaders: number;
  /** Bytes of its streams and of the responses recorded for it: `QUOTA_EXCEEDED`. */
  readonly storedBytes: number;
}

/** The limits that an operator has set for the tenant; the others have their defaults. */
export type ReadTenantLimits = (tenant: string) => Promise<Partial<TenantLimits>>;

export const NO_TENANT_LIMITS: ReadTenantLimits = async () => ({});
