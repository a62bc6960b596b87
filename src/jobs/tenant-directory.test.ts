import { expect, test } from 'vitest';
import type { Tenant, TenantStore } from './tenant.js';
import { TENANT_CACHE, TenantDirectory } from './tenant-directory.js';

function directory() {
  const known = new Map<string, Tenant>();
  const asked: string[] = [];
  let now = 0;
  const store = {
    async bySlug(slug: string) {
      asked.push(slug);
      return known.get(slug);
    },
  } as TenantStore;
  const add = (slug: string) => known.set(slug, { id: slug, slug, name: slug, quotas: {}, createdAt: 0 });
  const tenants = new TenantDirectory(store, () => now);
  const wait = (ms: number) => {
    now += ms;
  };
  return { tenants, add, asked, wait };
}

test('asks once for a while, and sooner again for one that was not there', async () => {
  const { tenants, add, asked, wait } = directory();
  add('acme');
  for (let n = 0; n < 3; n++) expect((await tenants.find('acme'))?.slug).toBe('acme');
  expect(await tenants.find('new')).toBeUndefined();
  add('new');
  wait(TENANT_CACHE.unknownMs);
  expect((await tenants.find('new'))?.slug).toBe('new');
  expect((await tenants.find('acme'))?.slug).toBe('acme');
  expect(asked).toEqual(['acme', 'new', 'new']);
});

test('is bounded, and never asks for what cannot be a slug', async () => {
  const { tenants, asked } = directory();
  expect(await tenants.find("x' OR 1=1")).toBeUndefined();
  expect(asked).toEqual([]);
  for (let n = 0; n < TENANT_CACHE.entriesMax + 50; n++) await tenants.find(`t${n}`);
  expect(tenants.size).toBe(TENANT_CACHE.entriesMax);
});
