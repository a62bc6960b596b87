/** Opens the stores of streams: one SQLite file, which a thread owns, and a folder of cold segments. */
import { join } from 'node:path';
import type { Settings } from '../../../config/settings.js';
import type { SondeError } from '../../../errors.js';
import type { Log } from '../../../log.js';
import type { ProxyStore } from '../../../proxy/index.js';
import { ProcessTotals, type StreamServiceOptions, type SubscriptionStore } from '../../../streams/index.js';
import { type CopiedStreams, copyStreams } from '../backup/copy-streams.js';
import type { BuiltUrls } from '../built-urls.js';
import { createFileObjectStore } from '../file-object-store.js';
import { LOST_WRITES_FILE, readLostWrites } from '../sqlite/find-lost-writes.js';
import { openStoreHost } from '../sqlite/store-host.js';
import { FolderWrites } from './folder-writes.js';
import type { StoreThread } from './store-metrics.js';
import type { ClockStore } from './stored-clock.js';

export interface StreamStoresOptions {
  readonly settings: Pick<Settings, 'server'>;
  readonly urls: Pick<BuiltUrls, 'storeWorker'>;
  readonly log: Log;
}

export interface StreamStoreSet {
  /** The store, its objects, and what was found when they were opened. */
  readonly streams: Pick<
    StreamServiceOptions,
    'store' | 'objects' | 'damaged' | 'unchecked' | 'storedTotals'
  >;
  readonly subscriptions: SubscriptionStore;
  readonly proxy: ProxyStore;
  readonly clock: ClockStore;
  readonly thread: StoreThread;
  openStreams(): Promise<number>;
  /** Rejects if the store cannot be read. */
  check(): Promise<void>;
  /** Rejects if nothing can be written. */
  checkWrites(): Promise<void>;
  /** Why nothing can be stored now; the answer can be a second old. */
  writeFault(): Promise<SondeError | undefined>;
  /** What works but needs attention. */
  notes(): readonly string[];
  /** Copies the streams of one point in time. */
  copyTo(folder: string, signal: AbortSignal): Promise<CopiedStreams>;
  close(): Promise<void>;
}

export async function openStreamStores({
  settings,
  urls,
  log,
}: StreamStoresOptions): Promise<StreamStoreSet> {
  const dataDir = settings.server.data;
  const host = await openStoreHost({ path: join(dataDir, 'sonde.db'), workerUrl: urls.storeWorker, log });
  const { store, damaged, unchecked, stored, subscriptions, proxy, clock } = host;
  for (const { id } of damaged) log.error('a stream is damaged', { stream: id });
  const lostWrites = readLostWrites(dataDir);
  for (const lost of lostWrites)
    log.error('acknowledged writes were lost', { ...lost, file: LOST_WRITES_FILE });
  const objects = createFileObjectStore(join(dataDir, 'segments'));
  const check = async () => void (await store.list('', 1));
  const folderWrites = new FolderWrites(dataDir, check);
  return {
    streams: { store, objects, damaged, unchecked, storedTotals: new ProcessTotals(stored) },
    ...{ subscriptions, proxy, clock, thread: host, check },
    openStreams: () => host.openStreams(),
    checkWrites: () => folderWrites.check(),
    writeFault: () => folderWrites.fault(),
    notes: () =>
      lostWrites.map(
        ({ foundAt }) => `acknowledged writes were lost before ${foundAt}: see ${LOST_WRITES_FILE}`,
      ),
    copyTo: (folder, signal) => copyStreams({ host, objects, dataDir, signal }, folder),
    close: () => host.close(),
  };
}
