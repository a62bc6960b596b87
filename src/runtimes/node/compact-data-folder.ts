/** Rewrites the database files of a data folder without unused space. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CompactedFile } from '../../cli/ports.js';
import { SondeError } from '../../errors.js';
import { LooseData } from '../../stores/sqlite/loose-data.js';
import { refusePartialBackup } from './backup/partial-backup.js';
import { type OpenDatabase, openDatabase } from './sqlite/open-database.js';
import { isBusy, toStoreError } from './sqlite/sqlite-faults.js';

/** A running server locks this file. */
const STREAMS = 'sonde.db';
const FILES = [STREAMS, 'records.db'];
/** Rows per transaction; the rows are large. */
const DROPPED_AT_ONCE = 64;

export function compactDataFolder(folder: string): readonly CompactedFile[] {
  refusePartialBackup(folder);
  const files = FILES.filter((name) => existsSync(join(folder, name)));
  if (files.length === 0) throw new SondeError('FILE_UNREADABLE', `${folder} contains no database files`);
  return files.map((file) => {
    const path = join(folder, file);
    const bytesBefore = statSync(path).size;
    compact(path, file === STREAMS ? dropLooseData : () => undefined);
    return { file, bytesBefore, bytesAfter: statSync(path).size };
  });
}

/** A server removes deleted data in small steps, and may have been stopped in between. */
function dropLooseData(database: OpenDatabase): void {
  const loose = new LooseData(database);
  while (loose.hasUnused) database.transaction(() => loose.dropUnused(DROPPED_AT_ONCE));
}

function compact(path: string, prepare: (database: OpenDatabase) => void): void {
  try {
    const database = openDatabase(path);
    try {
      prepare(database);
      database.compact();
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isBusy(error)) throw toStoreError(error);
    throw new SondeError(
      'CONFIG_INVALID_VALUE',
      `server.data: another process is using ${path}; stop it first`,
      { details: { key: 'server.data' }, cause: error },
    );
  }
}
