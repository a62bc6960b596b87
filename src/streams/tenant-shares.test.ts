import { expect, test } from 'vitest';
import type { StreamState } from './stream-store.js';
import { readerShare, StoredBytes, tenantOf } from './tenant-shares.js';
import { ProcessTotals } from './tenant-totals.js';

const share = (storedBytes: number, counts: [string, number][] = []) =>
  new StoredBytes({
    totals: new ProcessTotals(counts),
    limits: async () => ({ storedBytes }),
    fallback: 1e9,
  });
const stored = () => true;

test('concurrent writes do not exceed the limit together', async () => {
  const bytes = share(10);
  let finish = () => {};
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const first = bytes.during({ tenant: 'a', bytes: 6 }, () => running, stored);
  await expect(bytes.during({ tenant: 'a', bytes: 6 }, async () => {}, stored)).rejects.toMatchObject({
    code: 'QUOTA_EXCEEDED',
    details: { quota: 'storedBytes', max: 10 },
  });
  finish();
  await first;
  expect(await bytes.refusal('a', 4)).toBeUndefined();
  expect(await bytes.refusal('a', 5)).toBeDefined();
});

test('a write that fails or stores nothing is not counted', async () => {
  const bytes = share(10);
  const fail = async () => {
    throw new Error('the disk is full');
  };
  await expect(bytes.during({ tenant: 'a', bytes: 10 }, fail, stored)).rejects.toThrow('the disk is full');
  await bytes.during(
    { tenant: 'a', bytes: 10 },
    async () => {},
    () => false,
  );
  expect(await bytes.refusal('a', 10)).toBeUndefined();
});

test('counts existing bytes, frees removed ones, and keeps tenants separate', async () => {
  const bytes = share(10, [['a', 10]]);
  expect([await bytes.refusal('a', 1), await bytes.refusal('b', 10)]).toEqual([expect.anything(), undefined]);
  bytes.removed('a', 4);
  expect([await bytes.refusal('a', 4), await bytes.refusal('a', 5)]).toEqual([undefined, expect.anything()]);
});

test('a stream belongs to the tenant that its id names, else to the one in its metadata', () => {
  expect(tenantOf({ id: 'stream/acme/a/b', metadata: null })).toBe('acme');
  expect(tenantOf({ id: 'proxy/1', metadata: '{"tenant":"acme"}' })).toBe('acme');
  expect([tenantOf({ id: 'x', metadata: null }), tenantOf({ id: 'x', metadata: '{}' })]).toEqual([
    undefined,
    undefined,
  ]);
});

test('the tenant in an id takes precedence over the metadata, and a non-string tenant is ignored', () => {
  expect(tenantOf({ id: 'stream/acme/a', metadata: '{"tenant":"globex"}' })).toBe('acme');
  expect(tenantOf({ id: 'proxy/1', metadata: '{"tenant":7}' })).toBeUndefined();
});

test('a write without a tenant, or without bytes, is never refused', async () => {
  const bytes = share(0, [['a', 5]]);
  expect(await bytes.during({ tenant: undefined, bytes: 9 }, async () => 'written', stored)).toBe('written');
  expect(await bytes.during({ tenant: 'a', bytes: 0 }, async () => 'closed', stored)).toBe('closed');
  await expect(bytes.during({ tenant: 'a', bytes: 1 }, async () => 'no', stored)).rejects.toThrow(
    'storedBytes',
  );
  bytes.removed(undefined, 5);
  bytes.removed('a', 5);
  expect(await bytes.refusal('a', 0)).toBeUndefined();
});

test('a tenant without a limit of its own has the default', async () => {
  const bytes = new StoredBytes({ totals: new ProcessTotals([]), limits: async () => ({}), fallback: 3 });
  expect([await bytes.refusal('a', 3), await bytes.refusal('a', 4)]).toEqual([undefined, expect.anything()]);
});

test('the share of a live reader has the limit of its tenant, or the default', async () => {
  const deps = (liveReaders?: number) =>
    ({
      limits: { liveReaders: 20 },
      tenantLimits: async () => (liveReaders === undefined ? {} : { liveReaders }),
    }) as unknown as Parameters<typeof readerShare>[0];
  const stream = (id: string) => ({ id, metadata: null }) as StreamState;
  expect(await readerShare(deps(), stream('stream/acme/a'))).toEqual({ tenant: 'acme', max: 20 });
  expect(await readerShare(deps(0), stream('stream/acme/a'))).toEqual({ tenant: 'acme', max: 0 });
  expect(await readerShare(deps(), stream('x'))).toBeUndefined();
});
