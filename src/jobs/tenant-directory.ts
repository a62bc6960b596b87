/**
 * Looks up tenants, with a cache of one second because every request needs one: a tenant that was created, changed or
 * deleted by another process counts within that second. If the store fails, its last answer counts for ten. Bounded: the
 * oldest lookups are evicted first, and an invalid slug is never looked up.
 */
import { SondeError } from '../errors.js';
import { isSlug, type Tenant, type TenantStore } from './tenant.js';

export const TENANT_CACHE = { entriesMax: 10_000, freshMs: 1_000, staleMaxMs: 10_000 } as const;

interface Entry {
  readonly tenant: Promise<Tenant | undefined>;
  readonly askedAt: number;
  /** When the store last answered; earlier than `askedAt` while it fails. */
  knownAt: number;
}

export class TenantDirectory {
  readonly #store: Pick<TenantStore, 'bySlug'>;
  readonly #clock: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(store: Pick<TenantStore, 'bySlug'>, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(slug: string): Promise<Tenant | undefined> {
    const entry = this.#entries.get(slug);
    if (entry && this.#clock() - entry.askedAt < TENANT_CACHE.freshMs) return entry.tenant;
    if (!isSlug(slug)) return Promise.resolve(undefined);
    return this.#lookUp(slug, entry);
  }

  /** For callers with a valid credential, whose tenant should exist. */
  async need(slug: string): Promise<Tenant> {
    const tenant = await this.find(slug);
    if (tenant) return tenant;
    throw new SondeError('FORBIDDEN', 'The tenant of this credential does not exist on this server.');
  }

  #lookUp(slug: string, last: Entry | undefined): Promise<Tenant | undefined> {
    const askedAt = this.#clock();
    const ask = async () => {
      try {
        const tenant = await this.#store.bySlug(slug);
        entry.knownAt = askedAt;
        return tenant;
      } catch (failed) {
        if (last && this.#clock() - last.knownAt < TENANT_CACHE.staleMaxMs) return last.tenant;
        this.#entries.delete(slug);
        throw failed;
      }
    };
    const entry: Entry = { tenant: ask(), askedAt, knownAt: last?.knownAt ?? Number.NEGATIVE_INFINITY };
    this.#keep(slug, entry);
    return entry.tenant;
  }

  #keep(slug: string, entry: Entry): void {
    this.#entries.delete(slug);
    this.#entries.set(slug, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= TENANT_CACHE.entriesMax) return;
      this.#entries.delete(oldest);
    }
  }
}
