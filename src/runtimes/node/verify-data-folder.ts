/** Opens the streams of a data folder to verify or repair them. The file lock refuses a folder that a server uses. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepairedStream, VerifiedStream } from '../../cli/ports.js';
import { SondeError } from '../../errors.js';
import { type RepairRequest, repairStreams, verifyStreams } from '../../streams/index.js';
import { refusePartialBackup } from './backup/partial-backup.js';
import { createFileObjectStore } from './file-object-store.js';
import { openStoreHost } from './sqlite/store-host.js';

export async function* verifyDataFolder(folder: string, workerUrl: URL): AsyncGenerator<VerifiedStream> {
  const { host, objects } = await openFolder(folder, workerUrl);
  try {
    yield* verifyStreams({ store: host.store, objects });
  } finally {
    await host.close();
  }
}

export async function* repairDataFolder(
  folder: string,
  workerUrl: URL,
  request: RepairRequest,
): AsyncGenerator<RepairedStream> {
  const { host, objects } = await openFolder(folder, workerUrl);
  try {
    yield* repairStreams({ store: host.store, repairs: host.repairs, objects }, request);
  } finally {
    await host.close();
  }
}

async function openFolder(folder: string, workerUrl: URL) {
  refusePartialBackup(folder);
  const path = join(folder, 'sonde.db');
  await access(path).catch((cause: unknown) => {
    throw new SondeError('FILE_UNREADABLE', `${folder} contains no streams`, { cause });
  });
  const host = await openStoreHost({ path, workerUrl });
  return { host, objects: createFileObjectStore(join(folder, 'segments')) };
}
