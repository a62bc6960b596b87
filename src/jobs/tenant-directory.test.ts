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
      if (slug === 'down') throw new Error('the store is down');
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

test('a tenant is asked for again after ten seconds, and one that was not there after one', async () => {
  const { tenants, add, asked, wait } = directory();
  add('acme');
  await tenants.find('acme');
  await tenants.find('none');
  wait(999);
  await tenants.find('none');
  expect(asked).toEqual(['acme', 'none']);
  wait(1);
  await tenants.find('none');
  wait(8_999);
  await tenants.find('acme');
  expect(asked).toEqual(['acme', 'none', 'none']);
  wait(1);
  await tenants.find('acme');
  expect(asked).toEqual(['acme', 'none', 'none', 'acme']);
});

test('a store that failed is asked again by the next', async () => {
  const { tenants, asked } = directory();
  await expect(tenants.find('down')).rejects.toThrow('down');
  await expect(tenants.find('down')).rejects.toThrow('down');
  expect([asked, tenants.size]).toEqual([['down', 'down'], 0]);
});

test('a tenant that a call needs is returned, or the call is forbidden', async () => {
  const { tenants, add } = directory();
  add('acme');
  expect((await tenants.need('acme')).slug).toBe('acme');
  await expect(tenants.need('nobody')).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('the one asked for longest ago goes first', async () => {
  const { tenants, asked, wait } = directory();
  for (let n = 0; n < TENANT_CACHE.entriesMax; n++) await tenants.find(`t${n}`);
  wait(TENANT_CACHE.unknownMs);
  await tenants.find('t0');
  await tenants.find('one-more');
  asked.length = 0;
  await tenants.find('t0');
  expect(asked).toEqual([]);
});
