/** Stores cold segments as files. Each is written under a temporary name, synced and renamed, so it is always whole. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SondeError } from '../../errors.js';
import type { ObjectStore } from '../../streams/index.js';
import { makeSyncedFolder, syncFolder, writeSynced } from './durable-files.js';
import { ReadBuffers } from './read-buffers.js';

export interface FileObjectStore extends ObjectStore {
  /** Postpones removals until the returned function is called. */
  holdRemovals(): () => Promise<void>;
}

const TOO_MANY_FILES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);

export function createFileObjectStore(root: string): FileObjectStore {
  const buffers = new ReadBuffers();
  const removals = new HeldRemovals((key) => rm(pathOf(key), { force: true }));
  const pathOf = (key: string): string => join(root, ...key.split('/'));
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const folder = dirname(path);
      await makeSyncedFolder(folder);
      const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
      try {
        await writeSynced(temporary, bytes);
        await rename(temporary, path);
        await syncFolder(folder);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async get(key) {
      try {
        return await readWhole(pathOf(key), buffers);
      } catch (error) {
        const { code = 'unknown error' } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') return undefined;
        const reason = TOO_MANY_FILES.has(code) ? 'too many files are open' : code;
        throw new SondeError('STORAGE_UNAVAILABLE', `a segment could not be read: ${reason}`, {
          cause: error,
        });
      }
    },
    release: (bytes) => buffers.giveBack(bytes),
    remove: (key) => removals.remove(key),
    holdRemovals: () => removals.hold(),
  };
}

/** A key is never reused, so a postponed removal cannot delete another object. */
class HeldRemovals {
  readonly #remove: (key: string) => Promise<void>;
  readonly #keys = new Set<string>();
  #holders = 0;

  constructor(remove: (key: string) => Promise<void>) {
    this.#remove = remove;
  }

  async remove(key: string): Promise<void> {
    if (this.#holders > 0) this.#keys.add(key);
    else await this.#remove(key);
  }

  hold(): () => Promise<void> {
    this.#holders++;
    return async () => {
      if (--this.#holders > 0) return;
      const keys = [...this.#keys];
      this.#keys.clear();
      for (const key of keys) await this.#remove(key);
    };
  }
}

/** One read is enough for an object that fits into a buffer; a longer one is read again in full. */
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

/** A read may return fewer bytes than requested; only zero bytes mean the end of the file. */
async function fill(file: FileHandle, buffer: Uint8Array): Promise<number> {
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) return length;
  }
}
