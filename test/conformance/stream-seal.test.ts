import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFileObjectStore } from '../../src/runtimes/node/file-object-store.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { SqliteStreamStore } from '../../src/stores/sqlite/sqlite-stream-store.js';
import type { AppendInput, StreamLimits, StreamStore } from '../../src/streams/index.js';
import { sealChunk } from '../../src/streams/seal-chunk.js';
import { freshStream, keyFor } from '../support/fresh-stream.js';
import { StreamHarness } from '../support/stream-harness.js';

/** By default `waitFor` gives up after a second. */
const PATIENT = { timeout: 20_000 };

let harness: StreamHarness;
beforeEach(async () => {
  harness = await StreamHarness.start({ chunkBytes: 100 });
});
afterEach(() => harness.stop());

const filling = (letter: string): AppendInput => ({
  data: new TextEncoder().encode(letter.repeat(100)),
  contentType: null,
  seq: null,
  producer: null,
  close: false,
  now: 0,
  bytesMax: 1e9,
});

test('a stream removed, recreated and filled while its old chunk is sealed keeps its own bytes', async () => {
  const { store } = harness.host;
  const files = createFileObjectStore(join(harness.folder, 'segments'));
  const second = keyFor('s', 'second');
  await store.create(freshStream('s'));
  await store.append('s', filling('a'));
  const parts = { store, objects: files, onCorrupt: async () => {} };
  const objects: typeof files = {
    ...files,
    async put(key, bytes) {
      await store.remove(keyFor('s'));
      await store.create(freshStream('s', second));
      await store.append('s', filling('b'));
      await files.put(key, bytes);
    },
  };
  expect(await sealChunk({ ...parts, objects }, { stream: keyFor('s'), chunk: 0 })).toBe('removed');
  expect((await harness.ask('read', 's')).text).toBe('b'.repeat(100));
  expect(await sealChunk(parts, { stream: second, chunk: 0 })).toBe('sealed');
  expect((await harness.ask('read', 's')).text).toBe('b'.repeat(100));
});

/** Replaces the usual stream with one on a server with other limits. */
async function startWith(limits: Partial<StreamLimits>): Promise<void> {
  await harness.stop();
  harness = await StreamHarness.start({ chunkBytes: 100, limits });
  await harness.ask('create', 's', { headers: { 'content-type': 'text/plain' } });
}
const fill = (times: number) =>
  Promise.all(
    Array.from({ length: times }, () =>
      harness.ask('append', 's', { body: 'x'.repeat(100), headers: { 'content-type': 'text/plain' } }),
    ),
  );
const unsealed = async () => (await harness.host.store.unsealed(100)).length;

test('chunks that fill without a pause wait for one, up to a limit', async () => {
  await startWith({ sealPauseMs: 3_600_000, unsealedChunks: 10 });
  await fill(9);
  expect(await unsealed()).toBe(9);
  expect(harness.service.unsealedChunks).toBe(9);
  await fill(20);
  await vi.waitFor(async () => expect(await unsealed()).toBeLessThan(10), PATIENT);
  expect((await harness.ask('read', 's')).text).toBe('x'.repeat(2900));
  await harness.service.settled();
  expect(await unsealed()).toBe(0);
  expect(harness.service.unsealedChunks).toBe(0);
  expect((await harness.ask('read', 's')).text).toBe('x'.repeat(2900));
});

test('a pause is enough to seal them', async () => {
  await startWith({ sealPauseMs: 20, unsealedChunks: 1000 });
  await fill(30);
  await vi.waitFor(async () => expect(await unsealed()).toBe(0), PATIENT);
});

test('chunks left waiting at a shutdown are sealed at the next start', async () => {
  await startWith({ sealPauseMs: 3_600_000, unsealedChunks: 1000 });
  await fill(5);
  await harness.restart();
  await vi.waitFor(async () => expect(await unsealed()).toBe(0), PATIENT);
  expect((await harness.ask('read', 's')).text).toBe('x'.repeat(500));
});

/** Records that each exceed one part of a read, and more records than one part holds. */
const LONG = [1_500_000, 900_000, 900_000, 3_000_000];

test('a chunk of long records is sealed in parts, with all its bytes and arrivals', async () => {
  await harness.stop();
  harness = await StreamHarness.start({ chunkBytes: 6_000_000 });
  const { store } = harness.host;
  await store.create(freshStream('s'));
  for (const [n, length] of LONG.entries())
    await store.append('s', { ...filling('a'), data: new Uint8Array(length).fill(97 + n), now: n });
  const objects = createFileObjectStore(join(harness.folder, 'segments'));
  const read = () => harness.ask('read', 's');
  const before = (await read()).text;
  expect(before).toBe(LONG.map((length, n) => String.fromCharCode(97 + n).repeat(length)).join(''));
  const parts = { store, objects, onCorrupt: async () => {} };
  expect(await sealChunk(parts, { stream: keyFor('s'), chunk: 0 })).toBe('sealed');
  expect((await read()).text === before).toBe(true);
});

test('a chunk of very many records is sealed in parts', async () => {
  await harness.stop();
  harness = await StreamHarness.start({ chunkBytes: 4_500 });
  const { store } = harness.host;
  await store.create(freshStream('s'));
  const one = { ...filling('a'), data: new TextEncoder().encode('a') };
  await Promise.all(Array.from({ length: 4_500 }, () => store.append('s', one)));
  const objects = createFileObjectStore(join(harness.folder, 'segments'));
  const parts = { store, objects, onCorrupt: async () => {} };
  expect(await sealChunk(parts, { stream: keyFor('s'), chunk: 0 })).toBe('sealed');
  expect((await harness.ask('read', 's')).text).toBe('a'.repeat(4_500));
});

test('damage in a later part of a long record counts from the start of the record', async () => {
  const database = openDatabase(':memory:');
  const streams = new SqliteStreamStore(database, { chunkBytes: 3_000_000 });
  const store = {
    chunks: async (...args: Parameters<typeof streams.chunks>) => streams.chunks(...args),
    arrivals: async (...args: Parameters<typeof streams.arrivals>) => streams.arrivals(...args),
    readHot: async (...args: Parameters<typeof streams.readHot>) => streams.readHot(...args),
  } as unknown as StreamStore;
  streams.create(freshStream('s'));
  for (const length of [100_000, 3_000_000])
    streams.append('s', { ...filling('a'), data: new Uint8Array(length).fill(97) });
  streams.flush();
  database.run(
    'UPDATE long_data SET data = zeroblob(length(data)) WHERE number = (SELECT max(number) FROM long_data)',
    [],
  );
  const found: unknown[] = [];
  const onCorrupt = async (_stream: unknown, position: unknown) => void found.push(position);
  const objects = createFileObjectStore(join(harness.folder, 'segments'));
  const sealed = await sealChunk({ store, objects, onCorrupt }, { stream: keyFor('s'), chunk: 0 });
  database.close();
  expect([sealed, found]).toEqual(['corrupt', [{ chunk: 0, position: 100_000 }]]);
});
