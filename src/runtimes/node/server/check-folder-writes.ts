/** Checks that the data folder is writable by writing to it, because the disk may be full despite permission. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SondeError } from '../../../errors.js';

/** Larger than one block of any common file system, so that it needs free space. */
const PROBE = new Uint8Array(64 * 1024);

const FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the limit on the size of a file is reached',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  ENOENT: 'it no longer exists',
  EIO: 'the disk failed',
};

export async function checkFolderWrites(folder: string): Promise<void> {
  const path = join(folder, `.ready-${process.pid}`);
  try {
    await writeFile(path, PROBE);
  } catch (cause) {
    const fault = FAULTS[(cause as NodeJS.ErrnoException).code ?? ''] ?? 'it cannot be written to';
    throw new SondeError('STORAGE_UNAVAILABLE', fault, { cause });
  } finally {
    await rm(path, { force: true });
  }
}
