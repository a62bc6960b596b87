import { expect, test } from 'vitest';
import { StoredBytes, tenantOf } from './tenant-shares.js';

const share = (storedBytes: number, counts: [string, number][] = []) =>
  new StoredBytes({ counts, limits: async () => ({ storedBytes }), fallback: 1e9 });
const stored = () => true;

test('writes that run at once do not exceed the limit together', async () => {
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

test('a write that fails, or stores nothing, takes up no room', async () => {
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

test('what was stored before counts, what is removed makes room, and tenants do not share', async () => {
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
