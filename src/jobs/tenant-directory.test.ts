import { expect, test } from 'vitest';
import type { Tenant, TenantStore } from './tenant.js';
import { TENANT_CACHE, TenantDirectory } from './tenant-directory.js';

function directory() {
  const known = new Map<string, Tenant>();
  const failing = new Set(['down']);
  const lookups: string[] = [];
  let now = 0;
  const store = {
    async bySlug(slug: string) {
      lookups.push(slug);
      if (failing.has(slug)) throw new Error('the store is down');
      return known.get(slug);
    },
  } as TenantStore;
  return {
    tenants: new TenantDirectory(store, () => now),
    add: (slug: string) => known.set(slug, { id: slug, slug, name: slug, quotas: {}, createdAt: 0 }),
    remove: (slug: string) => known.delete(slug),
    fail: (slug: string) => failing.add(slug),
    lookups,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test('caches a tenant and an unknown slug for a second, so a tenant comes and goes within one', async () => {
  const { tenants, add, remove, lookups, wait } = directory();
  add('acme');
  for (let n = 0; n < 3; n++) expect((await tenants.find('acme'))?.slug).toBe('acme');
  expect(await tenants.find('new')).toBeUndefined();
  remove('acme');
  add('new');
  wait(999);
  expect([(await tenants.find('acme'))?.slug, await tenants.find('new')]).toEqual(['acme', undefined]);
  expect(lookups).toEqual(['acme', 'new']);
  wait(1);
  expect([await tenants.find('acme'), (await tenants.find('new'))?.slug]).toEqual([undefined, 'new']);
  expect(lookups).toEqual(['acme', 'new', 'acme', 'new']);
});

test('is bounded and never looks up an invalid slug', async () => {
  const { tenants, lookups } = directory();
  expect(await tenants.find("x' OR 1=1")).toBeUndefined();
  expect(lookups).toEqual([]);
  for (let n = 0; n < TENANT_CACHE.entriesMax + 50; n++) await tenants.find(`t${n}`);
  expect(tenants.size).toBe(10_000);
});

test('while the store fails, its last answer counts for ten seconds', async () => {
  const { tenants, add, fail, lookups, wait } = directory();
  add('acme');
  await tenants.find('acme');
  fail('acme');
  for (let n = 0; n < 9; n++) {
    wait(1_000);
    expect((await tenants.find('acme'))?.slug).toBe('acme');
  }
  expect(lookups.length).toBe(10);
  wait(1_000);
  await expect(tenants.find('acme')).rejects.toThrow('the store is down');
  await expect(tenants.find('acme')).rejects.toThrow('the store is down');
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
  wait(TENANT_CACHE.freshMs);
  await tenants.find('t0');
  await tenants.find('one-more');
  lookups.length = 0;
  await tenants.find('t0');
  expect(lookups).toEqual([]);
});
