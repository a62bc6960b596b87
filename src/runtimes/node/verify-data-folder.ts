/** Opens the streams of a data folder for a scan; a folder that a server uses is refused by its lock. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { VerifiedStream } from '../../cli/ports.js';
import { SondeError } from '../../errors.js';
import { verifyStreams } from '../../streams/index.js';
import { createFileObjectStore } from './file-object-store.js';
import { openStoreHost } from './sqlite/store-host.js';

export async function* verifyDataFolder(folder: string, workerUrl: URL): AsyncGenerator<VerifiedStream> {
  const path = join(folder, 'sonde.db');
  await access(path).catch((cause: unknown) => {
    throw new SondeError('FILE_UNREADABLE', `${folder} contains no streams`, { cause });
  });
  const host = await openStoreHost({ path, workerUrl });
  try {
    yield* verifyStreams({ store: host.store, objects: createFileObjectStore(join(folder, 'segments')) });
  } finally {
    await host.close();
  }
}
