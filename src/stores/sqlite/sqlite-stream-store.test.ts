import { expect, test } from 'vitest';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { AppendInput, NewStream } from '../../streams/index.js';
import { SqliteStreamStore } from './sqlite-stream-store.js';

const stream = (id: string): NewStream => ({
  id,
  hash: 'abcde',
  contentType: 'text/plain',
  createdAt: 0,
  ttlSeconds: null,
  expiresAt: null,
  closed: false,
  start: { chunk: 0, position: 0 },
  inheritedBytes: 0,
  ancestors: [],
  metadata: null,
  data: null,
});
const input = (seq: string | null = null): AppendInput => ({
  data: new TextEncoder().encode('abc'),
  contentType: 'text/plain',
  seq,
  producer: null,
  close: false,
  now: 0,
  bytesMax: 1e9,
});

test('more streams in use than rows are kept in memory: none forgets what it was told', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  const used = Array.from({ length: 60 }, (_each, i) => `used${i}`);
  database.begin();
  for (const id of used) store.create(stream(id));
  // Some rows have to be written when they make room, others lag behind their records.
  for (const [i, id] of used.entries()) store.append(id, input(i % 2 === 0 ? 'seq' : null));
  for (let i = 0; i < 10_050; i++) store.create(stream(`other${i}`));
  for (const id of used) store.append(id, input());
  store.flush();
  database.commit();
  for (const again of [store, new SqliteStreamStore(database)]) {
    for (const [i, id] of used.entries()) {
      const state = again.get(id);
      const seq = i % 2 === 0 ? 'seq' : null;
      expect([state?.totalBytes, state?.tail.position, state?.lastSeq]).toEqual([6, 6, seq]);
    }
  }
  database.close();
});
