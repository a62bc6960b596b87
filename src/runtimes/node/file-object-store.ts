/** Cold segments as files: written aside, synced, then renamed, so a key names a whole object or nothing. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ObjectStore } from '../../streams/index.js';
import { syncFolder, writeSynced } from './durable-files.js';
import { ReadBuffers } from './read-buffers.js';

export function createFileObjectStore(root: string): ObjectStore {
  const buffers = new ReadBuffers();
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
        return await readWhole(pathOf(key), buffers);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    release: (bytes) => buffers.giveBack(bytes),
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}

/** One read, where it fits: what is longer than a buffer is read again at its full length. */
async function readWhole(path: string, buffers: ReadBuffers): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const buffer = buffers.take();
    const length = await fill(file, buffer);
    if (length < buffer.length) return buffer.subarray(0, length);
    buffers.giveBack(buffer);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** A read may stop short of the end; only one that gives nothing has reached it. */
async function fill(file: FileHandle, buffer: Uint8Array): Promise<number> {
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) return length;
  }
}
