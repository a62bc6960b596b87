/**
 * `sonde backup`: copies a data folder to a new one, in which a server can be started. The server that has the streams
 * open copies them, or this process if no server runs. The records file may be opened by several processes.
 */
import { existsSync } from 'node:fs';
import { access, chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BackupResult } from '../../../cli/ports.js';
import { SondeError } from '../../../errors.js';
import { syncFile, syncFolder } from '../durable-files.js';
import { createFileObjectStore } from '../file-object-store.js';
import { CommitMark } from '../sqlite/commit-mark.js';
import { openDatabase } from '../sqlite/open-database.js';
import { openStoreHost } from '../sqlite/store-host.js';
import { callControlSocket } from './control-socket.js';
import { type CopiedStreams, copyStreams, copySynced } from './copy-streams.js';

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
  await makeEmptyFolder(target);
  try {
    return await copyAll({ dataDir, target, storeWorkerUrl });
  } catch (error) {
    // A partial copy must not be mistaken for a backup.
    await rm(target, { recursive: true, force: true });
    throw error;
  }
}

async function copyAll(request: BackupRequest): Promise<BackupResult> {
  const { dataDir, target } = request;
  const streams = await copyThroughOwner(request);
  const records = await copyRecords(dataDir, target);
  await copyOtherFiles(dataDir, target);
  // A server that starts in the copy must not reuse offsets that the original returned later.
  const mark = new CommitMark(join(target, 'sonde.db-mark'));
  mark.write({ kind: 'restored' });
  mark.close();
  await syncFile(join(target, 'sonde.db-mark'));
  await syncFolder(target);
  return { folder: target, ...streams, records };
}

async function makeEmptyFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await readdir(folder)).length === 0) return;
  } catch (cause) {
    throw new SondeError('FILE_UNWRITABLE', `${folder} cannot be created: ${(cause as Error).message}`, {
      cause,
    });
  }
  throw new SondeError('FILE_UNWRITABLE', `${folder} is not empty; a backup goes into a new folder`);
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

/** Copies all other files, such as secrets; skips databases and files of a single process. */
async function copyOtherFiles(dataDir: string, target: string): Promise<void> {
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    if (!entry.isFile() || /\.db(-\w+)?$|^\.ready-/.test(entry.name)) continue;
    await copySynced(join(dataDir, entry.name), join(target, entry.name));
  }
}
