/** Explains why a database file could not be opened, with advice. The driver's own messages are too unspecific. */
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { SondeError } from '../../../errors.js';
import { isBusy, isDamaged, isFatal, isFull, isNotADatabase, toStoreError } from './sqlite-faults.js';

export function openFault(path: string, thrown: unknown): unknown {
  // Callers handle a file in use by another process and a full disk themselves.
  if (thrown instanceof SondeError || isBusy(thrown) || isFull(thrown)) return thrown;
  if (isFatal(thrown) && hasNoRoom(path)) {
    const advice = 'the disk is full; free at least 1 MB and start again';
    return new SondeError('STORAGE_FULL', advice, { cause: thrown });
  }
  const reason = reasonOf(path, thrown);
  return reason === undefined
    ? toStoreError(thrown)
    : new SondeError('STORAGE_UNAVAILABLE', reason, { cause: thrown });
}

/** A file that several processes share needs an index beside it, which is created when the file is opened. */
const INDEX_BYTES = 32 * 1024;

function hasNoRoom(path: string): boolean {
  const folder = dirname(path);
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < INDEX_BYTES;
}

function reasonOf(path: string, thrown: unknown): string | undefined {
  if (isNotADatabase(thrown)) return 'it is not a SQLite database; restore it from a backup, or move it away';
  if (isDamaged(thrown)) return 'the database file is damaged; restore it from a backup';
  const folder = dirname(path);
  if (!existsSync(folder)) return `the folder ${folder} does not exist`;
  return accessFault(path, existsSync(path) ? path : folder) ?? accessFault(path, folder);
}

const ACCESS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

function accessFault(path: string, at: string): string | undefined {
  try {
    accessSync(at, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const where = at === path ? '' : ` in ${at}`;
    return ACCESS[code] && `${ACCESS[code]}${where} (${code})`;
  }
}
