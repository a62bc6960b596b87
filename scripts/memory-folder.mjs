import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const MEMORY = '/dev/shm';
const GIB = 1024 ** 3;

/**
 * Puts temporary files into memory until this process ends, if there is enough of it: the files are real ones, but
 * syncing them does not wait for a disk. A TMPDIR that is set stays.
 */
export function keepFilesInMemory() {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return;
  const folder = mkdtempSync(join(MEMORY, 'sonde-tests-'));
  // A database started by root runs as another user.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= 4 * GIB && freemem() >= 8 * GIB;
  } catch {
    return false;
  }
}
