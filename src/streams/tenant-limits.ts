/**
 * How much of the server one tenant may take up. Every bound is a tenant's own, never one that all tenants share: one
 * at its limit must not cause a refusal for another.
 */
export interface TenantLimits {
  /** Streams that are not closed: `TOO_MANY_STREAMS`. */
  readonly openStreams: number;
  /** `TOO_MANY_SUBSCRIPTIONS`, as the next. */
  readonly subscriptions: number;
  /** Subscriptions and the streams that they name, which are kept in memory. */
  readonly subscriptionEntries: number;
  /** Upstream responses that are opened or coming in: `TOO_MANY_STREAMS`. */
  readonly proxyStreams: number;
  /** Readers that follow streams live: `TOO_MANY_READERS`. */
  readonly liveReaders: number;
  /** Bytes of its streams and of the responses recorded for it: `QUOTA_EXCEEDED`. */
  readonly storedBytes: number;
}

/** What an operator has set for the tenant; the rest has its default. */
export type ReadTenantLimits = (tenant: string) => Promise<Partial<TenantLimits>>;

export const NO_TENANT_LIMITS: ReadTenantLimits = async () => ({});
