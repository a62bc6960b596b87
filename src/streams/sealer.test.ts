import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asyncPort } from '../../test/support/async-port.js';
import { freshStream, keyFor } from '../../test/support/fresh-stream.js';
import { keepingLog } from '../../test/support/keeping-log.js';
import { type OpenDatabase, openDatabase } from '../runtimes/node/sqlite/open-database.js';
import { SqliteStreamStore } from '../stores/sqlite/sqlite-stream-store.js';
import { Sealer } from './sealer.js';
import { DEFAULT_STREAM_LIMITS, type StreamLimits } from './stream-deps.js';
import type { AppendInput, StreamStore } from './stream-store.js';

const CHUNK_BYTES = 10;
let database: OpenDatabase;
let store: SqliteStreamStore;
/** A bucket without latency, so that a test knows when all possible work is done. */
let bucket: Map<string, Uint8Array>;
let sealer: Sealer;
let corrupt: string[];
let putFails: boolean;
let onPut: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  database = openDatabase(':memory:');
  store = new SqliteStreamStore(database, { chunkBytes: CHUNK_BYTES });
  bucket = new Map();
  corrupt = [];
  putFails = false;
  onPut = () => undefined;
  for (const id of ['a', 'b']) store.create(freshStream(id));
});

afterEach(async () => {
  await sealer.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  database.close();
});

function open(limits: Partial<StreamLimits> = {}): void {
  sealer = new Sealer({
    store: asyncPort<StreamStore>(store),
    objects: {
      put: async (key, bytes) => {
        onPut();
        if (putFails) throw new Error('the bucket is full');
        bucket.set(key, bytes);
      },
      get: async (key) => bucket.get(key),
      remove: async (key) => void bucket.delete(key),
    },
    log: keepingLog(),
    onCorrupt: async ({ id }) => void corrupt.push(id),
    limits: { ...DEFAULT_STREAM_LIMITS, ...limits },
  });
}

/** Fills the open chunk of the stream. */
function fill(id: string): void {
  const data = new Uint8Array(CHUNK_BYTES).fill(1);
  const input = { data, contentType: 'text/plain', seq: null, producer: null, close: false, now: 0 };
  store.append(id, { ...input, bytesMax: 1e9 } satisfies AppendInput);
  sealer.filled();
}

const unsealed = () => store.unsealed(100).length;
/** Resolves when all background work that can proceed has finished. */
const quiet = () => new Promise((resolve) => setImmediate(resolve));

test('without a configured pause, seals a full chunk at once, and leftovers of a crash at the first wake', async () => {
  open();
  fill('a');
  expect([sealer.waiting, unsealed(), vi.getTimerCount()]).toEqual([1, 1, 0]);
  await sealer.idle();
  expect([sealer.waiting, unsealed()]).toEqual([0, 0]);
  expect(store.readHot(keyFor('a'), { chunk: 0, lo: 0, hi: CHUNK_BYTES })).toBe('cold');
  await sealer.stop();
  fill('b');
  expect([sealer.waiting, unsealed()]).toEqual([1, 1]);
  open();
  sealer.wake();
  await sealer.idle();
  expect(unsealed()).toBe(0);
});

test('chunks wait for a pause, and each newly filled chunk restarts it', async () => {
  open({ sealPauseMs: 1_000 });
  fill('a');
  vi.advanceTimersByTime(999);
  fill('b');
  vi.advanceTimersByTime(999);
  await quiet();
  expect([sealer.waiting, unsealed()]).toEqual([2, 2]);
  vi.advanceTimersByTime(1);
  await sealer.idle();
  expect([sealer.waiting, unsealed(), vi.getTimerCount()]).toEqual([0, 0, 0]);
});

test('seals only the chunks beyond the limit while the others keep waiting', async () => {
  open({ sealPauseMs: 1_000, unsealedChunks: 3 });
  for (const id of ['a', 'b']) fill(id);
  await quiet();
  expect(unsealed()).toBe(2);
  fill('a');
  await quiet();
  expect([sealer.waiting, unsealed()]).toEqual([2, 2]);
  vi.advanceTimersByTime(1_000);
  await sealer.idle();
  expect(unsealed()).toBe(0);
});

test('idle() seals everything without waiting for the pause', async () => {
  open({ sealPauseMs: 1_000 });
  fill('a');
  await sealer.idle();
  expect([unsealed(), vi.getTimerCount()]).toEqual([0, 0]);
});

test('stop() leaves unsealed chunks, and sealing does not start again', async () => {
  open({ sealPauseMs: 1_000 });
  fill('a');
  await sealer.stop();
  expect([unsealed(), vi.getTimerCount()]).toEqual([1, 0]);
  fill('b');
  sealer.wake();
  await quiet();
  expect([unsealed(), vi.getTimerCount(), sealer.waiting]).toEqual([2, 0, 2]);
});

test('a chunk that could not be sealed stays readable and is retried', async () => {
  open();
  putFails = true;
  fill('a');
  await sealer.idle();
  expect([unsealed(), vi.getTimerCount()]).toEqual([1, 1]);
  putFails = false;
  vi.advanceTimersByTime(4_999);
  await quiet();
  expect(unsealed()).toBe(1);
  vi.advanceTimersByTime(1);
  await sealer.idle();
  expect([unsealed(), sealer.waiting]).toEqual([0, 0]);
  await sealer.stop();
  open();
  putFails = true;
  fill('a');
  await sealer.idle();
  await sealer.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a damaged chunk is reported once and stays, and the others are sealed', async () => {
  open();
  store.append('a', {
    ...{ data: new Uint8Array(CHUNK_BYTES), contentType: 'text/plain', seq: null, producer: null },
    ...{ close: false, now: 0, bytesMax: 1e9 },
  });
  database.run("UPDATE chunks SET checksum = checksum + 1 WHERE stream_id = 'life of a'", []);
  fill('b');
  await sealer.idle();
  expect([corrupt, store.unsealed(9)]).toEqual([['a'], [{ stream: keyFor('a'), chunk: 0 }]]);
});

test('stop() ends a run between two chunks', async () => {
  open({ sealPauseMs: 1_000 });
  for (const id of ['a', 'b', 'a']) fill(id);
  sealer.wake();
  await sealer.stop();
  expect(unsealed()).toBe(3);
});

test('a run that fails while it is stopped leaves no timer', async () => {
  open();
  putFails = true;
  const stopped = new Promise<void>((resolve) => {
    onPut = () => resolve(sealer.stop());
  });
  fill('a');
  await stopped;
  expect([unsealed(), vi.getTimerCount()]).toEqual([1, 0]);
});

test('chunks of removed streams do not count as waiting', async () => {
  open({ sealPauseMs: 1_000 });
  for (const id of ['a', 'b']) fill(id);
  store.remove(keyFor('a'));
  await sealer.idle();
  expect([sealer.waiting, unsealed()]).toEqual([0, 0]);
});

test('repeated failures share one retry', async () => {
  open();
  putFails = true;
  fill('a');
  await sealer.idle();
  sealer.wake();
  await sealer.idle();
  expect(vi.getTimerCount()).toBe(1);
});
