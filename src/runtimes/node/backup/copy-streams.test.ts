import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileObjectStore } from '../file-object-store.js';
import { copyStreams } from './copy-streams.js';

test('copies a segment that is deleted during the backup, and deletes the original afterwards', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sonde-copy-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [dataDir, target] = [join(root, 'data'), join(root, 'copy')];
  await mkdir(dataDir);
  await mkdir(target);
  await writeFile(join(dataDir, 'sonde.db'), 'names aa/one');
  const objects = createFileObjectStore(join(dataDir, 'segments'));
  await objects.put('aa/one', new Uint8Array([1, 2, 3]));
  const host = { freezeFile: async () => ({ pausedMs: 7, thaw: () => objects.remove('aa/one') }) };

  expect(await copyStreams({ host, objects, dataDir }, target)).toEqual({ segments: 1, pausedMs: 7 });
  expect(await readFile(join(target, 'sonde.db'), 'utf8')).toBe('names aa/one');
  expect([...(await readFile(join(target, 'segments', 'aa', 'one')))]).toEqual([1, 2, 3]);
  expect(await objects.get('aa/one')).toBeUndefined();
});
