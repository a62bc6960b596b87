/** Writes files that survive a power failure: the bytes are synced, then the folder. */
import { constants } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
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
