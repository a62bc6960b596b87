/**
 * `sonde backup`: copies a data folder to a new one, in which a server can be started. The server that has the streams
 * open copies them, or this process if no server runs. The records file may be opened by several processes. Secrets are
 * copied last: a key is created before anything is sealed with it, so the copy has the key of each row.
 */
import { existsSync } from 'node:fs';
import { access, chmod, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BackupResult } from '../../../cli/ports.js';
import { SondeError } from '../../../errors.js';
import { syncFile, syncFolder } from '../durable-files.js';
import { createFileObjectStore } from '../file-object-store.js';
import { CommitMark } from '../sqlite/commit-mark.js';
import { openDatabase } from '../sqlite/open-database.js';
import { openStoreHost } from '../sqlite/store-host.js';
import { callControlSocket } from './control-socket.js';
import { copyRest } from './copy-rest.js';
import { type CopiedStreams, copyStreams } from './copy-streams.js';
import { completeBackup, openPartialBackup, refusePartialBackup } from './partial-backup.js';

export interface BackupRequest {
  readonly dataDir: string;
  readonly target: string;
  readonly storeWorkerUrl: URL;
}

export async function backupDataFolder({
  dataDir,
  target: named,
  storeWorkerUrl,
}: BackupRequest): Promise<BackupResult> {
  const target = resolve(named);
  await access(join(dataDir, 'sonde.db')).catch((cause: unknown) => {
    throw new SondeError('FILE_UNREADABLE', `${dataDir} contains no streams`, { cause });
  });
  refusePartialBackup(dataDir);
  const partial = await openPartialBackup(dataDir, target);
  try {
    const copied = await copyAll({ dataDir, target: partial, storeWorkerUrl });
    await completeBackup(partial, target);
    return { folder: target, ...copied };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function copyAll(request: BackupRequest): Promise<Omit<BackupResult, 'folder'>> {
  const { dataDir, target } = request;
  const streams = await copyThroughOwner(request);
  const records = await copyRecords(dataDir, target);
  await copyRest(dataDir, target);
  // A server that starts in the copy must not reuse offsets that the original returned later.
  const mark = new CommitMark(join(target, 'sonde.db-mark'));
  mark.write({ kind: 'restored' });
  mark.close();
  await syncFile(join(target, 'sonde.db-mark'));
  await syncFolder(target);
  return { ...streams, records };
}

async function copyThroughOwner({ dataDir, target, storeWorkerUrl }: BackupRequest): Promise<CopiedStreams> {
  const done = await callControlSocket(dataDir, { command: 'copy-streams', folder: target });
  if (done !== undefined) return done as CopiedStreams;
  const host = await openStoreHost({ path: join(dataDir, 'sonde.db'), workerUrl: storeWorkerUrl });
  try {
    return await copyStreams(
      { host, objects: createFileObjectStore(join(dataDir, 'segments')), dataDir },
      target,
    );
  } finally {
    await host.close();
  }
}

/** Copies in one read transaction while the server continues to write. False if the records are not in this folder. */
async function copyRecords(dataDir: string, target: string): Promise<boolean> {
  const path = join(dataDir, 'records.db');
  if (!existsSync(path)) return false;
  const database = openDatabase(path, { shared: true });
  const copy = join(target, 'records.db');
  try {
    database.run('VACUUM INTO ?', [copy]);
  } finally {
    database.close();
  }
  await chmod(copy, 0o600);
  await syncFile(copy);
  return true;
}
