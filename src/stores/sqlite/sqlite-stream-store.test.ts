import { expect, test } from 'vitest';
import { freshStream } from '../../../test/support/fresh-stream.js';
import { type OpenDatabase, openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { AppendInput } from '../../streams/index.js';
import { INLINE_DATA_BYTES } from './record-rows.js';
import { SqliteStreamStore } from './sqlite-stream-store.js';

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
  for (const id of used) store.create(freshStream(id));
  // Some rows have to be written when they make room, others lag behind their records.
  for (const [i, id] of used.entries()) store.append(id, input(i % 2 === 0 ? 'seq' : null));
  for (let i = 0; i < 10_050; i++) store.create(freshStream(`other${i}`));
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

test('a row lags behind a record of several rows and is rolled forward over all of them', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  store.create(freshStream('a'));
  const written = store.append('a', { ...input(), data: new Uint8Array(2_500_000).fill(7) });
  expect(database.all('SELECT count(*) AS rows FROM chunks', [])).toEqual([{ rows: 3 }]);
  const again = new SqliteStreamStore(database);
  expect(written).toMatchObject({ kind: 'appended', state: again.get('a') });
  // One damaged row spoils its record, and nothing before it.
  database.run(
    'UPDATE long_data SET data = ? WHERE number = (SELECT data FROM chunks WHERE position = 2000000)',
    [new Uint8Array(500_000)],
  );
  const { bytes, ends, corruptAt } = again.readHot('a', { chunk: 0, lo: 0, hi: 2_500_000 });
  expect([bytes.length, ends, corruptAt]).toEqual([0, [], 0]);
  expect(again.verifyTails()).toEqual(['a']);
  database.close();
});

const counts = (database: OpenDatabase) =>
  database.all(
    'SELECT (SELECT count(*) FROM chunks) AS rows, (SELECT count(*) FROM long_data) AS long',
    [],
  )[0];

test('data that would spill over its page lies apart, and goes with its row', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database, { chunkBytes: 3_000 });
  for (const id of ['a', 'b']) {
    store.create(freshStream(id));
    for (const size of [10, INLINE_DATA_BYTES, INLINE_DATA_BYTES + 1, 5_000, 900]) {
      store.append(id, { ...input(), data: new Uint8Array(size).fill(size % 251) });
    }
  }
  expect(counts(database)).toEqual({ rows: 10, long: 6 });
  const { bytes, ends, corruptAt } = store.readHot('a', { chunk: 0, lo: 0, hi: 6_611 });
  expect([ends, corruptAt]).toEqual([[10, 810, 1_611, 6_611], null]);
  expect(bytes).toEqual(
    new Uint8Array([10, 800, 801, 5_000].flatMap((size) => Array<number>(size).fill(size % 251))),
  );
  expect(store.markCold('a', 0, store.get('a')?.hash ?? '')).toBe(true);
  expect(counts(database)).toEqual({ rows: 6, long: 4 });
  store.remove('a');
  expect(counts(database)).toEqual({ rows: 5, long: 3 });
  store.remove('b');
  expect(counts(database)).toEqual({ rows: 0, long: 0 });
  database.close();
});

test('data of the version before, which lies in its rows whatever its length, is read and written on', () => {
  const database = openDatabase(':memory:');
  const before = new SqliteStreamStore(database);
  before.create(freshStream('a'));
  before.append('a', { ...input(), data: new Uint8Array(5_000).fill(1) });
  database.run('UPDATE chunks SET data = (SELECT data FROM long_data WHERE number = chunks.data)', []);
  database.run('DROP TABLE long_data', []);
  database.run('UPDATE stream_schema SET version = 1', []);
  const store = new SqliteStreamStore(database);
  expect(store.verifyTails()).toEqual([]);
  store.append('a', { ...input(), data: new Uint8Array(5_000).fill(2) });
  const { bytes, corruptAt } = store.readHot('a', { chunk: 0, lo: 0, hi: 10_000 });
  expect([bytes.length, bytes[4_999], bytes[5_000], corruptAt]).toEqual([10_000, 1, 2, null]);
  expect(database.all('SELECT version FROM stream_schema', [])).toEqual([{ version: 2 }]);
  database.run('UPDATE stream_schema SET version = 3', []);
  expect(() => new SqliteStreamStore(database)).toThrow('stream schema 3, this program knows 2');
  database.close();
});
