/** Tenants and their quotas. */
import { SondeError } from '../errors.js';

export interface Tenant {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** Only what differs from the defaults. */
  readonly quotas: Partial<Quotas>;
  readonly createdAt: number;
}

export interface Quotas {
  /** Jobs in the queue. */
  readonly jobsQueued: number;
  /** Running jobs over all workers; a soft limit, because concurrent claims do not lock each other. */
  readonly jobsRunning: number;
  readonly webhooks: number;
  /** Streams that are not closed. */
  readonly openStreams: number;
  readonly subscriptions: number;
  /** Subscriptions plus the streams they reference. */
  readonly subscriptionEntries: number;
  /** Upstream responses in progress; the setting `proxy.streamsMax` is the default of a server. */
  readonly proxyStreams: number;
  /** Live readers of streams; as many again may follow events, up to the limit of a tenant's event readers. */
  readonly liveReaders: number;
  /** Bytes of streams and recorded responses. */
  readonly storedBytes: number;
  /** Calls of `GET /api/probe` in progress. */
  readonly probes: number;
}

export const QUOTA_DEFAULTS: Quotas = {
  jobsQueued: 100_000,
  jobsRunning: 1_000,
  webhooks: 20,
  openStreams: 1_000_000,
  subscriptions: 1_000,
  subscriptionEntries: 200_000,
  proxyStreams: 5_000,
  liveReaders: 20_000,
  storedBytes: 2 ** 40,
  probes: 32,
};
const QUOTA_MAX = 10_000_000;
const STORED_BYTES_MAX = 2 ** 50;

function quotaMax(name: string): number {
  return name === 'storedBytes' ? STORED_BYTES_MAX : QUOTA_MAX;
}

export const QUOTA_NAMES = Object.keys(QUOTA_DEFAULTS) as (keyof Quotas)[];

export function quotasOf({ quotas }: Pick<Tenant, 'quotas'>): Quotas {
  return { ...QUOTA_DEFAULTS, ...quotas };
}

/** Throws for an unknown quota or a number out of range. */
export function checkQuotas(given: Readonly<Record<string, unknown>>): Partial<Quotas> {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(QUOTA_DEFAULTS, name)) {
      throw new SondeError(
        'INVALID_REQUEST',
        `unknown quota "${name}"; valid quotas are ${QUOTA_NAMES.join(', ')}`,
      );
    }
    const max = quotaMax(name);
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > max) {
      throw new SondeError('INVALID_REQUEST', `${name}: expected a whole number from 0 to ${max}`);
    }
  }
  return given as Partial<Quotas>;
}

/** Reads stored quotas; entries that this version does not know are ignored. */
export function readQuotas(stored: unknown): Partial<Quotas> {
  const given = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  return Object.fromEntries(
    given.filter(([name, value]) => Object.hasOwn(QUOTA_DEFAULTS, name) && Number.isInteger(value)),
  );
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;
const NAME_CHARS_MAX = 200;

export const isSlug = (slug: string): boolean => SLUG.test(slug);

export function checkSlug(slug: string): string {
  if (isSlug(slug)) return slug;
  throw new SondeError(
    'INVALID_REQUEST',
    "a tenant's slug must have 1 to 63 characters of a-z, 0-9 and -, starting with a letter or digit",
  );
}

export function checkTenantName(name: string): string {
  if (name.length > 0 && name.length <= NAME_CHARS_MAX) return name;
  throw new SondeError('INVALID_REQUEST', `a tenant's name must have 1 to ${NAME_CHARS_MAX} characters`);
}

export interface TenantStore {
  /** Resolves to undefined if the slug is taken. */
  create(tenant: Pick<Tenant, 'id' | 'slug' | 'name' | 'quotas'>): Promise<Tenant | undefined>;
  bySlug(slug: string): Promise<Tenant | undefined>;
  /** Ordered by slug, after `after`. */
  list(page: { readonly after: string; readonly limit: number }): Promise<readonly Tenant[]>;
  /** Merges quotas; null resets one to its default. Resolves to undefined if there is no such tenant. */
  setQuotas(slug: string, quotas: Readonly<Record<string, number | null>>): Promise<Tenant | undefined>;
}
