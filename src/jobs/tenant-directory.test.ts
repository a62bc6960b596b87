import { expect, test } from 'vitest';
import type { Tenant, TenantStore } from './tenant.js';
import { TENANT_CACHE, TenantDirectory } from './tenant-directory.js';

function directory() {
  const known = new Map<string, Tenant>();
  const lookups: string[] = [];
  let now = 0;
  const store = {
    async bySlug(slug: string) {
      lookups.push(slug);
      if (slug === 'down') throw new Error('the store is down');
      return known.get(slug);
    },
  } as TenantStore;
  const add = (slug: string) => known.set(slug, { id: slug, slug, name: slug, quotas: {}, createdAt: 0 });
  const tenants = new TenantDirectory(store, () => now);
  const wait = (ms: number) => {
    now += ms;
  };
  return { tenants, add, lookups, wait };
}

test('caches a tenant, and an unknown slug for a shorter time', async () => {
  const { tenants, add, lookups, wait } = directory();
  add('acme');
  for (let n = 0; n < 3; n++) expect((await tenants.find('acme'))?.slug).toBe('acme');
  expect(await tenants.find('new')).toBeUndefined();
  add('new');
  wait(TENANT_CACHE.unknownMs);
  expect((await tenants.find('new'))?.slug).toBe('new');
  expect((await tenants.find('acme'))?.slug).toBe('acme');
  expect(lookups).toEqual(['acme', 'new', 'new']);
});

test('is bounded and never looks up an invalid slug', async () => {
  const { tenants, lookups } = directory();
  expect(await tenants.find("x' OR 1=1")).toBeUndefined();
  expect(lookups).toEqual([]);
  for (let n = 0; n < TENANT_CACHE.entriesMax + 50; n++) await tenants.find(`t${n}`);
  expect(tenants.size).toBe(10_000);
});

test('looks up a tenant again after ten seconds, and an unknown slug after one', async () => {
  const { tenants, add, lookups, wait } = directory();
  add('acme');
  await tenants.find('acme');
  await tenants.find('none');
  wait(999);
  await tenants.find('none');
  expect(lookups).toEqual(['acme', 'none']);
  wait(1);
  await tenants.find('none');
  wait(8_999);
  await tenants.find('acme');
  expect(lookups).toEqual(['acme', 'none', 'none']);
  wait(1);
  await tenants.find('acme');
  expect(lookups).toEqual(['acme', 'none', 'none', 'acme']);
});

test('retries after a failure of the store', async () => {
  const { tenants, lookups } = directory();
  await expect(tenants.find('down')).rejects.toThrow('down');
  await expect(tenants.find('down')).rejects.toThrow('down');
  expect([lookups, tenants.size]).toEqual([['down', 'down'], 0]);
});

test('need returns the tenant or throws FORBIDDEN', async () => {
  const { tenants, add } = directory();
  add('acme');
  expect((await tenants.need('acme')).slug).toBe('acme');
  await expect(tenants.need('nobody')).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('evicts the entry that was looked up longest ago', async () => {
  const { tenants, lookups, wait } = directory();
  for (let n = 0; n < TENANT_CACHE.entriesMax; n++) await tenants.find(`t${n}`);
  wait(TENANT_CACHE.unknownMs);
  await tenants.find('t0');
  await tenants.find('one-more');
  lookups.length = 0;
  await tenants.find('t0');
  expect(lookups).toEqual([]);
});
