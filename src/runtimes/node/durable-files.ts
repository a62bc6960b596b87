/** Writing files so that they survive a power cut: the bytes synced, then the folder that names them. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import process from 'node:process';

/** A new file, for its owner alone; one that exists is refused. */
export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The new name must survive a power cut too; Windows cannot sync a folder and need not. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
