/**
 * Looks up tenants, with a cache of a few seconds because every request needs one. Bounded: the oldest lookups are
 * evicted first, and an invalid slug is never looked up.
 */
import { SondeError } from '../errors.js';
import { isSlug, type Tenant, type TenantStore } from './tenant.js';

export const TENANT_CACHE = { entriesMax: 10_000, knownMs: 10_000, unknownMs: 1_000 } as const;

interface Entry {
  readonly tenant: Promise<Tenant | undefined>;
  readonly until: number;
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
    if (entry && entry.until > this.#clock()) return entry.tenant;
    if (!isSlug(slug)) return Promise.resolve(undefined);
    return this.#lookUp(slug);
  }

  /** For callers with a valid credential, whose tenant should exist. */
  async need(slug: string): Promise<Tenant> {
    const tenant = await this.find(slug);
    if (tenant) return tenant;
    throw new SondeError('FORBIDDEN', 'The tenant of this credential does not exist on this server.');
  }

  #lookUp(slug: string): Promise<Tenant | undefined> {
    const tenant = this.#store.bySlug(slug);
    this.#keep(slug, { tenant, until: this.#clock() + TENANT_CACHE.unknownMs });
    tenant.then(
      (found) => found && this.#keep(slug, { tenant, until: this.#clock() + TENANT_CACHE.knownMs }),
      // After a failure of the store, the next call retries.
      () => this.#entries.delete(slug),
    );
    return tenant;
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
