/** Cold segments as files: written aside, synced, then renamed, so a key names a whole object or nothing. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ObjectStore } from '../../streams/index.js';
import { syncFolder, writeSynced } from './durable-files.js';

export function createFileObjectStore(root: string): ObjectStore {
  const pathOf = (key: string): string => join(root, ...key.split('/'));
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const folder = dirname(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const aside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
      try {
        await writeSynced(aside, bytes);
        await rename(aside, path);
        await syncFolder(folder);
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
    },
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
