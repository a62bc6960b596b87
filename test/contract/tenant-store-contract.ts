/** What every engine of the tenant store guarantees. */
import { expect, test } from 'vitest';
import type { TenantStore } from '../../src/jobs/index.js';
import { uuidV7 } from '../../src/uuid.js';

export function tenantStoreContract(store: () => TenantStore): void {
  const create = (slug: string, quotas = {}) =>
    store().create({ id: uuidV7(Date.now()), slug, name: `The tenant ${slug}`, quotas });

  test('a slug is unique and identifies its tenant', async () => {
    const made = await create('acme', { webhooks: 3 });
    expect(made).toMatchObject({ slug: 'acme', name: 'The tenant acme', quotas: { webhooks: 3 } });
    expect(await create('acme')).toBeUndefined();
    expect(await store().bySlug('acme')).toEqual(made);
    expect(await store().bySlug('nobody')).toBeUndefined();
  });

  test('tenants are listed by slug, page by page, in byte order', async () => {
    for (const slug of ['paa', 'pa-b']) await create(slug);
    const page = async (after: string, limit: number) =>
      (await store().list({ after, limit })).map(({ slug }) => slug);
    expect(await page('pa', 2)).toEqual(['pa-b', 'paa']);
    expect(await page('pa-b', 1)).toEqual(['paa']);
  });

  test('quotas are merged, and null resets one to its default', async () => {
    await create('quotas', { webhooks: 3, jobsQueued: 5 });
    await create('quotas-of-another', { webhooks: 4 });
    const set = await store().setQuotas('quotas', { webhooks: null, jobsRunning: 7 });
    expect(set?.quotas).toEqual({ jobsQueued: 5, jobsRunning: 7 });
    expect(await store().bySlug('quotas')).toEqual(set);
    expect((await store().bySlug('quotas-of-another'))?.quotas).toEqual({ webhooks: 4 });
    expect(await store().setQuotas('nobody', { webhooks: 1 })).toBeUndefined();
  });
}
