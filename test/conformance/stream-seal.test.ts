import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileObjectStore } from '../../src/runtimes/node/file-object-store.js';
import type { AppendInput } from '../../src/streams/index.js';
import { sealChunk } from '../../src/streams/seal-chunk.js';
import { freshStream } from '../support/fresh-stream.js';
import { StreamHarness } from '../support/stream-harness.js';

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

test('a stream that is removed, made anew and filled while its old chunk is sealed keeps its own bytes', async () => {
  const { store } = harness.host;
  const files = createFileObjectStore(join(harness.folder, 'segments'));
  await store.create(freshStream('s', { hash: 'first' }));
  await store.append('s', filling('a'));
  const parts = { store, objects: files, onCorrupt: async () => {} };
  const objects: typeof files = {
    ...files,
    async put(key, bytes) {
      await store.remove('s');
      await store.create(freshStream('s', { hash: 'other' }));
      await store.append('s', filling('b'));
      await files.put(key, bytes);
    },
  };
  expect(await sealChunk({ ...parts, objects }, 's', 0)).toBe('gone');
  expect((await harness.ask('read', 's')).text).toBe('b'.repeat(100));
  expect(await sealChunk(parts, 's', 0)).toBe('sealed');
  expect((await harness.ask('read', 's')).text).toBe('b'.repeat(100));
});
