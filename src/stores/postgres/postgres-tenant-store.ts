/** Tenants on PostgreSQL. */
import type { Tenant, TenantStore } from '../../jobs/index.js';
import { storableJson, storableText } from '../storable.js';
import type { PgDatabase } from './pg-database.js';
import { tenantOf } from './pg-rows.js';
import { INSERT_TENANT, SELECT_TENANT, SELECT_TENANTS, UPDATE_QUOTAS } from './sql/tenants.js';

export class PostgresTenantStore implements TenantStore {
  readonly #database: PgDatabase;

  constructor(database: PgDatabase) {
    this.#database = database;
  }

  async create({ id, slug, name, quotas }: Pick<Tenant, 'id' | 'slug' | 'name' | 'quotas'>) {
    const [row] = await this.#database.query(INSERT_TENANT, [
      id,
      slug,
      storableText(name),
      storableJson(quotas),
    ]);
    return row && tenantOf(row);
  }

  async bySlug(slug: string) {
    const [row] = await this.#database.query(SELECT_TENANT, [slug]);
    return row && tenantOf(row);
  }

  async list({ after, limit }: { readonly after: string; readonly limit: number }) {
    return (await this.#database.query(SELECT_TENANTS, [after, limit])).map(tenantOf);
  }

  async setQuotas(slug: string, quotas: Readonly<Record<string, number | null>>) {
    const [row] = await this.#database.query(UPDATE_QUOTAS, [slug, storableJson(quotas)]);
    return row && tenantOf(row);
  }
}
