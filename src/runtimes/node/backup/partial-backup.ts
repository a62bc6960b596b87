/**
 * A backup is written to `FOLDER.partial`, which contains a marker until the copy is complete, and renamed last. So
 * `FOLDER` is always a whole backup, and a copy whose command was killed can be recognised under any name. Nothing
 * opens such a copy: it may lack jobs, segments or secrets, and a server would create new ones in their place.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { SondeError } from '../../../errors.js';
import { syncFolder, writeSynced } from '../durable-files.js';

/** The name of the marker. */
export const PARTIAL_FILE = 'partial-backup.txt';
const SUFFIX = '.partial';
const NOTE = 'This copy is incomplete. Delete this folder and run "sonde backup" again.\n';

/** Creates the folder that a backup is written to, and returns it. */
export async function openPartialBackup(dataDir: string, target: string): Promise<string> {
  const partial = `${target}${SUFFIX}`;
  await refuseInsideOf(dataDir, target);
  await refuseUsed(target);
  if (existsSync(partial)) {
    throw new SondeError(
      'FILE_UNWRITABLE',
      `${partial} exists: another backup to ${target} is running, or was interrupted. If none is running, delete that folder and try again`,
    );
  }
  try {
    await mkdir(dirname(partial), { recursive: true, mode: 0o700 });
    await mkdir(partial, { mode: 0o700 });
    await writeSynced(join(partial, PARTIAL_FILE), NOTE);
    await syncFolder(partial);
  } catch (cause) {
    throw unwritable(`${partial} cannot be created`, cause);
  }
  return partial;
}

/** Gives a copy that is complete and synced its name. */
export async function completeBackup(partial: string, target: string): Promise<void> {
  await rm(join(partial, PARTIAL_FILE));
  await syncFolder(partial);
  try {
    // An empty folder is accepted as a target, but not every platform replaces it.
    if (existsSync(target)) await rmdir(target);
    await rename(partial, target);
    await syncFolder(dirname(target));
  } catch (cause) {
    throw unwritable(`${partial} cannot be renamed to ${target}`, cause);
  }
}

/** Throws if the folder is an incomplete backup. */
export function refusePartialBackup(dataDir: string): void {
  const folder = resolve(dataDir);
  // The command may have been killed before it wrote the marker.
  const isNew =
    basename(folder).endsWith(SUFFIX) && existsSync(folder) && !existsSync(join(folder, 'sonde.db'));
  if (!isNew && !existsSync(join(folder, PARTIAL_FILE))) return;
  throw new SondeError(
    'CONFIG_INVALID_VALUE',
    `server.data: ${folder} is an incomplete backup: "sonde backup" was interrupted before it had copied everything. Delete the folder and use a complete backup`,
    { details: { key: 'server.data' } },
  );
}

/** A copy within the data folder would be part of every later backup, and be lost with the original. */
async function refuseInsideOf(dataDir: string, target: string): Promise<void> {
  const path = relative(await realpath(dataDir), await realPathOf(target));
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path;
  if (isOutside) return;
  throw new SondeError(
    'FILE_UNWRITABLE',
    `${target} is inside the data folder ${dataDir}; name a folder outside of it, best on another disk`,
  );
}

/** The path without symbolic links, also if its last parts do not exist yet. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  }
}

async function refuseUsed(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (!found) return;
  const names = await readdir(target).catch((cause: unknown) => {
    throw unwritable(`${target} cannot be created`, cause);
  });
  if (names.length > 0) {
    throw new SondeError('FILE_UNWRITABLE', `${target} is not empty; a backup goes into a new folder`);
  }
  const { dev } = await stat(dirname(target));
  if (dev === found.dev) return;
  throw new SondeError(
    'FILE_UNWRITABLE',
    `${target} is where a file system is mounted, so it cannot be created; name a new folder inside it`,
  );
}

function unwritable(what: string, cause: unknown): SondeError {
  return new SondeError('FILE_UNWRITABLE', `${what}: ${(cause as Error).message}`, { cause });
}
