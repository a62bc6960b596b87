import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ObjectStore } from '../../streams/index.js';
import { createFileObjectStore } from './file-object-store.js';

let folder: string;
let objects: ObjectStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-objects-'));
  objects = createFileObjectStore(folder);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function filled(length: number, value: number): Uint8Array {
  return new Uint8Array(length).fill(value);
}

const MB = 1024 * 1024;

test.each([0, 1, 4 * MB, 5 * MB + 64 * 1024 - 1, 5 * MB + 64 * 1024, 5 * MB + 64 * 1024 + 1, 12 * MB])(
  'reads back an object of %i bytes',
  async (length) => {
    await objects.put('aa/one', filled(length, 7));
    const found = await objects.get('aa/one');
    expect(found?.length).toBe(length);
    expect(found?.every((byte) => byte === 7)).toBe(true);
  },
);

test('returns undefined for a missing object', async () => {
  expect(await objects.get('aa/none')).toBeUndefined();
  await objects.remove('aa/none');
});

test('bytes that were not released stay unchanged while others are read', async () => {
  await objects.put('aa/one', filled(100, 1));
  await objects.put('aa/two', filled(100, 2));
  const kept = await objects.get('aa/one');
  const released = await objects.get('aa/two');
  objects.release?.(released?.subarray(0, 10) ?? filled(0, 0));
  const [next, another] = await Promise.all([objects.get('aa/two'), objects.get('aa/two')]);
  expect(kept).toEqual(filled(100, 1));
  expect([next, another]).toEqual([filled(100, 2), filled(100, 2)]);
  expect(next?.buffer).not.toBe(another?.buffer);
});

test('a missing object does not use up a released buffer', async () => {
  await objects.put('aa/one', filled(100, 1));
  const first = await objects.get('aa/one');
  objects.release?.(first ?? filled(0, 0));
  expect(await objects.get('aa/none')).toBeUndefined();
  expect((await objects.get('aa/one'))?.buffer).toBe(first?.buffer);
});

test('an object that cannot be read is unavailable, not missing', async () => {
  await objects.put('aa/folder/one', filled(100, 1));
  await expect(objects.get('aa/folder')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});
