/** The thread that owns the SQLite file of streams. It may block, unlike the main thread. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { methodNames } from '../../../port-methods.js';
import { StreamClock } from '../../../stores/sqlite/accept-step.js';
import { CLOCK_SCHEMA } from '../../../stores/sqlite/clock-state.js';
import { LOOSE_SCHEMA, LooseData } from '../../../stores/sqlite/loose-data.js';
import { refuseUnknown } from '../../../stores/sqlite/prepare-schema.js';
import { PROXY_SCHEMA } from '../../../stores/sqlite/proxy-schema.js';
import { SqliteProxyStore } from '../../../stores/sqlite/sqlite-proxy-store.js';
import { SqliteStreamStore } from '../../../stores/sqlite/sqlite-stream-store.js';
import { SqliteSubscriptionStore } from '../../../stores/sqlite/sqlite-subscription-store.js';
import { STREAM_SCHEMA } from '../../../stores/sqlite/stream-schema.js';
import { SUBSCRIPTION_SCHEMA } from '../../../stores/sqlite/subscription-schema.js';
import { OpenFiles } from '../open-files.js';
import { BatchRunner, faultOf } from './batch-runner.js';
import { CommitCounter } from './commit-counter.js';
import { CommitMark } from './commit-mark.js';
import { findLostCommits, findLostWrites } from './find-lost-writes.js';
import { IdleTrim } from './idle-trim.js';
import { type OpenDatabase, openDatabase } from './open-database.js';
import { packStates } from './pack-state.js';
import { isBusy, isDamaged } from './sqlite-faults.js';
import type { FromStore, StoredByTenant, StoreName, StoreResult, Stores, ToStore } from './store-messages.js';

export interface StoreWorkerData {
  readonly path: string;
  readonly chunkBytes?: number;
}

const SCHEMAS = [STREAM_SCHEMA, LOOSE_SCHEMA, SUBSCRIPTION_SCHEMA, PROXY_SCHEMA, CLOCK_SCHEMA];

/** Takes a few milliseconds. The tails of other streams are checked in the background, or on first use. */
const CHECKED_AT_START = 500;

const BESIDE_STREAMS = 'subscriptions and keys of proxied requests';

if (!parentPort) throw new Error('the store worker runs in a worker thread');
const port = parentPort;

function post(message: FromStore, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

/** Bytes that were read are transferred, not copied. */
function buffersOf(results: readonly StoreResult[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const result of results) {
    if (!('value' in result) || typeof result.value !== 'object' || result.value === null) continue;
    const { bytes } = result.value as { bytes?: unknown };
    if (bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer) buffers.add(bytes.buffer);
  }
  return [...buffers];
}

function packResult(result: StoreResult): StoreResult {
  return 'value' in result ? { value: packStates(result.value) } : result;
}

interface Marks {
  readonly mark: CommitMark;
  readonly counter: CommitCounter;
}

function serve(database: OpenDatabase, stores: Stores, marks: Marks): void {
  const files = new OpenFiles([path, `${path}-wal`].filter((file) => existsSync(file)));
  const runner = new BatchRunner(database, stores, { files, ...marks });
  const trim = new IdleTrim(database);
  trim.used();
  port.on('message', (message: ToStore) => {
    if (message.kind === 'close') {
      trim.hold();
      database.close();
      marks.mark.close();
      marks.counter.close();
      post({ kind: 'closed' });
      return port.close();
    }
    if (message.kind !== 'batch') return freeze(database, message.kind, trim);
    const from = performance.now();
    const results = runner.run(message.calls);
    const heldMs = performance.now() - from;
    trim.used();
    const { hasUnused } = stores.loose;
    post({ kind: 'results', results: results.map(packResult), heldMs, hasUnused }, buffersOf(results));
  });
}

/** A damaged page must not prevent a start. Then existing bytes are not counted. */
function storedIn(streams: SqliteStreamStore): StoredByTenant {
  try {
    return streams.storedBytes();
  } catch (error) {
    if (isDamaged(error)) return [];
    throw error;
  }
}

function freeze(database: OpenDatabase, kind: 'freeze' | 'thaw', trim: IdleTrim): void {
  const from = performance.now();
  const pausedMs = () => Math.ceil(performance.now() - from);
  try {
    if (kind === 'freeze') {
      trim.hold();
      database.freeze();
    } else {
      database.thaw();
      trim.release();
    }
    post({ kind: 'frozen', pausedMs: pausedMs() });
  } catch (error) {
    post({ kind: 'frozen', fault: faultOf(error), pausedMs: pausedMs() });
  }
}

const { path, chunkBytes } = workerData as StoreWorkerData;
try {
  const database = openDatabase(path, {
    refuse: (found) => refuseUnknown(found, SCHEMAS),
  });
  const loose = new LooseData(database);
  const streams = new SqliteStreamStore(database, { loose, ...(chunkBytes !== undefined && { chunkBytes }) });
  const subscriptions = new SqliteSubscriptionStore(database);
  const first = streams.checkTails('', CHECKED_AT_START);
  const proxy = new SqliteProxyStore(database);
  const clock = new StreamClock(database, streams);
  const mark = new CommitMark(`${path}-mark`);
  const counter = new CommitCounter(database, `${path}-count`);
  const folder = dirname(path);
  findLostWrites({ database, streams, mark, folder });
  findLostCommits(database, counter, { folder, of: BESIDE_STREAMS });
  const stored = storedIn(streams);
  const known = [...streams.damagedStreams(), ...first.damaged].map((each) => [each.life, each] as const);
  const stores: Stores = { streams, subscriptions, proxy, loose, clock };
  serve(database, stores, { mark, counter });
  const damaged = [...new Map(known).values()];
  const methods = Object.fromEntries(
    Object.entries(stores).map(([name, store]) => [name, methodNames(store)]),
  ) as Record<StoreName, readonly string[]>;
  post({ kind: 'ready', methods, damaged, uncheckedAfter: first.next, stored });
} catch (error) {
  post({ kind: 'failed', fault: faultOf(error), busy: isBusy(error) });
  port.close();
}
