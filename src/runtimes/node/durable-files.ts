/** Writes files that survive a power failure: the bytes are synced, then the folder. */
import { constants } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';

/** Creates a file that only its owner can read. Fails if it exists. */
export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content, { flag: 'wx', mode: 0o600, flush: true });
}

export async function syncFile(path: string, flags: string | number = 'r+'): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a new name survive a power failure too. Windows cannot sync a folder and does not need to. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') await syncFile(folder, constants.O_RDONLY);
}

/** Creates a folder and those above it that are missing, so that their names survive a power failure too. */
export async function makeSyncedFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let created = folder; ; created = dirname(created)) {
    await syncFolder(dirname(created));
    if (created === first || created === dirname(created)) return;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file has its name',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'a folder above it is missing',
  ELOOP: 'it is a symbolic link',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk failed',
};

/** Why the file system refused something, as the end of a message. */
export function fileFault(thrown: unknown): string {
  const { code = '', message = '' } = thrown as NodeJS.ErrnoException;
  const reason = REASONS[code];
  return reason === undefined ? code || message : `${reason} (${code})`;
}
