/** Tenants on SQLite. */
import type { Tenant, TenantStore } from '../../jobs/index.js';
import type { SqlDatabase } from './sql-database.js';
import { tenantOf } from './sql-rows.js';
import type { SyncPort } from './sync-port.js';

export class SqliteTenantStore implements SyncPort<TenantStore> {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;

  constructor(database: SqlDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  create({ id, slug, name, quotas }: Pick<Tenant, 'id' | 'slug' | 'name' | 'quotas'>) {
    if (this.bySlug(slug)) return undefined;
    this.#database.run(INSERT, [id, slug, name, JSON.stringify(quotas), this.#clock()]);
    return this.bySlug(slug);
  }

  bySlug(slug: string) {
    return this.#database.all('SELECT * FROM tenants WHERE slug = ?', [slug]).map(tenantOf)[0];
  }

  list({ after, limit }: { readonly after: string; readonly limit: number }) {
    return this.#database
      .all('SELECT * FROM tenants WHERE slug > ? ORDER BY slug LIMIT ?', [after, limit])
      .map(tenantOf);
  }

  setQuotas(slug: string, quotas: Readonly<Record<string, number | null>>) {
    const tenant = this.bySlug(slug);
    if (!tenant) return undefined;
    const merged = Object.entries({ ...tenant.quotas, ...quotas }).filter(([, value]) => value !== null);
    const [before, after] = [tenant.quotas, Object.fromEntries(merged)].map((each) => JSON.stringify(each));
    // Readiness checks change nothing, and must not cost a sync.
    if (after !== undefined && after !== before)
      this.#database.run('UPDATE tenants SET quotas_json = ? WHERE id = ?', [after, tenant.id]);
    return this.bySlug(slug);
  }
}

const INSERT = 'INSERT INTO tenants (id, slug, name, quotas_json, created_at) VALUES (?, ?, ?, ?, ?)';
