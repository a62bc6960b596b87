import { expect, test } from 'vitest';
import { freshStream, hotBytes, keyFor } from '../../../test/support/fresh-stream.js';
import { type OpenDatabase, openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { AppendInput, NewStream } from '../../streams/index.js';
import { INLINE_DATA_BYTES } from './record-rows.js';
import type { SqlDatabase } from './sql-database.js';
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

test('streams keep their state when more are in use than rows fit in memory', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  const used = Array.from({ length: 60 }, (_each, i) => `used${i}`);
  database.begin();
  for (const id of used) store.create(freshStream(id));
  // Some rows must be written when they are evicted, others lag behind their records.
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

test('evicts the oldest row from memory and reads it again when it is needed', () => {
  const database = openDatabase(':memory:');
  let reads = 0;
  const watched: SqlDatabase = {
    ...database,
    all(sql, params) {
      if (sql.startsWith('SELECT * FROM streams WHERE stream_id = ?')) reads++;
      return database.all(sql, params);
    },
  };
  const store = new SqliteStreamStore(watched);
  database.begin();
  for (let n = 0; n <= 10_000; n++) store.create(freshStream(`s${n}`));
  database.commit();
  const readsOf = (id: string) => {
    reads = 0;
    expect(store.get(id)?.id).toBe(id);
    return reads;
  };
  expect(['s10000', 's1', 's0', 's0', 's1'].map(readsOf)).toEqual([0, 0, 1, 0, 1]);
  database.close();
});

const BEGINNINGS: readonly (readonly [string, Partial<NewStream>, writes: number])[] = [
  ['empty', {}, 1],
  ['closed and empty', { closed: true }, 1],
  ['with data', { data: new Uint8Array(7) }, 2],
  ['whole', { data: new Uint8Array(7), closed: true, metadata: '{"tenant":"a","outcome":"completed"}' }, 2],
  ['whole, and longer than a chunk', { data: new Uint8Array(700), closed: true }, 3],
  ['as a fork', { data: new Uint8Array(7), start: { chunk: 3, position: 90 }, inheritedBytes: 390 }, 2],
  ['with an end', { createdAt: 5, expiresAt: 90_000, ttlSeconds: 60, data: new Uint8Array(7) }, 2],
];

test.each(BEGINNINGS)(
  'a stream that is created %s is written once, as it was returned',
  (_what, change, writes) => {
    const database = openDatabase(':memory:');
    const written: string[] = [];
    const watched: SqlDatabase = {
      ...database,
      run(sql, params) {
        written.push(sql);
        database.run(sql, params);
      },
    };
    const store = new SqliteStreamStore(watched, { chunkBytes: 500 });
    written.length = 0;
    const { state } = store.create(freshStream('a', change));
    expect(written).toHaveLength(writes);
    store.flush();
    expect(written.slice(writes).filter((sql) => !sql.includes('stream_totals'))).toEqual([]);
    expect(new SqliteStreamStore(database, { chunkBytes: 500 }).get('a')).toEqual(state);
    database.close();
  },
);

test('rolls a lagging row forward over all rows of a long record', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  store.create(freshStream('a'));
  const written = store.append('a', { ...input(), data: new Uint8Array(2_500_000).fill(7) });
  expect(database.all('SELECT count(*) AS rows FROM chunks', [])).toEqual([{ rows: 3 }]);
  const again = new SqliteStreamStore(database);
  expect(written).toMatchObject({ kind: 'appended', state: again.get('a') });
  // One damaged row damages its whole record, and nothing before it.
  database.run(
    'UPDATE long_data SET data = ? WHERE number = (SELECT data FROM chunks WHERE position = 2000000)',
    [new Uint8Array(500_000)],
  );
  const { bytes, ends, corruptAt } = hotBytes(again.readHot(keyFor('a'), { chunk: 0, lo: 0, hi: 2_500_000 }));
  expect([bytes.length, ends, corruptAt]).toEqual([0, [], 0]);
  expect(again.checkTails('', 10)).toEqual({ damaged: [keyFor('a')], next: null });
  expect(again.damagedStreams()).toEqual([keyFor('a')]);
  database.close();
});

test('a read that begins inside a long record notices damage at the beginning of the record', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  store.create(freshStream('a'));
  store.append('a', { ...input(), data: new Uint8Array(2_500_000).fill(7) });
  const read = () => hotBytes(store.readHot(keyFor('a'), { chunk: 0, lo: 2_400_000, hi: 2_500_000 }));
  expect([read().bytes.length, read().corruptAt]).toEqual([100_000, null]);
  database.run('UPDATE long_data SET data = ? WHERE number = (SELECT data FROM chunks WHERE position = 0)', [
    new Uint8Array(1_000_000),
  ]);
  expect([read().bytes.length, read().corruptAt]).toEqual([0, 0]);
  database.close();
});

test('a chunk whose first rows are missing is damaged, not filled with zeros', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  store.create(freshStream('a'));
  for (let n = 1; n <= 3; n++) store.append('a', { ...input(), data: new Uint8Array(10).fill(n) });
  database.run('DELETE FROM chunks WHERE position < 20', []);
  const { bytes, corruptAt } = hotBytes(store.readHot(keyFor('a'), { chunk: 0, lo: 0, hi: 30 }));
  expect([bytes.length, corruptAt]).toEqual([0, 0]);
  expect(hotBytes(store.readHot(keyFor('a'), { chunk: 0, lo: 20, hi: 30 })).corruptAt).toBeNull();
  database.close();
});

test('a read of many small records returns the first whole ones, and the next read continues there', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  store.create(freshStream('a'));
  for (let n = 0; n < 6_000; n++) store.append('a', { ...input(), data: new Uint8Array(3).fill(n % 251) });
  store.flush();
  let lo = 0;
  let reads = 0;
  for (; lo < 18_000 && reads < 10; reads++) {
    const { bytes, ends, corruptAt } = hotBytes(store.readHot(keyFor('a'), { chunk: 0, lo, hi: 18_000 }));
    expect([bytes[0], ends[0], corruptAt]).toEqual([(lo / 3) % 251, lo + 3, null]);
    lo += bytes.length;
    expect(ends.at(-1)).toBe(lo);
  }
  expect([lo, reads]).toEqual([18_000, 3]);
  database.close();
});

const counts = (database: OpenDatabase) =>
  database.all(
    'SELECT (SELECT count(*) FROM chunks) AS rows, (SELECT count(*) FROM long_data) AS long',
    [],
  )[0];

test('data that would overflow its page is stored separately and deleted with its row', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database, { chunkBytes: 3_000 });
  for (const id of ['a', 'b']) {
    store.create(freshStream(id));
    for (const size of [10, INLINE_DATA_BYTES, INLINE_DATA_BYTES + 1, 5_000, 900]) {
      store.append(id, { ...input(), data: new Uint8Array(size).fill(size % 251) });
    }
  }
  expect(counts(database)).toEqual({ rows: 10, long: 6 });
  const { bytes, ends, corruptAt } = hotBytes(store.readHot(keyFor('a'), { chunk: 0, lo: 0, hi: 6_611 }));
  expect([ends, corruptAt]).toEqual([[10, 810, 1_611, 6_611], null]);
  expect(bytes).toEqual(
    new Uint8Array([10, 800, 801, 5_000].flatMap((size) => Array<number>(size).fill(size % 251))),
  );
  expect(store.markCold(keyFor('a'), 0)).toBe(true);
  expect(counts(database)).toEqual({ rows: 6, long: 4 });
  store.remove(keyFor('a'));
  expect(counts(database)).toEqual({ rows: 5, long: 3 });
  store.remove(keyFor('b'));
  expect(counts(database)).toEqual({ rows: 0, long: 0 });
  database.close();
});

test('counts stored bytes per tenant once, including sealed and cold chunks and records after a lagging row', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database, { chunkBytes: 1_000 });
  const append = (id: string, size: number) => store.append(id, { ...input(), data: new Uint8Array(size) });
  const source = keyFor('stream/acme/a');
  store.create(freshStream(source.id, source));
  for (const size of [1_200, 300]) append(source.id, size);
  store.markCold(source, 0);
  store.flush();
  append(source.id, 50);
  store.addFork(source, { ...keyFor('stream/acme/f'), announcedAt: 0 });
  const start = { chunk: 1, position: 300 };
  store.create(freshStream('stream/acme/f', { start, inheritedBytes: 1_500 }));
  append('stream/acme/f', 7);
  store.create(freshStream('proxy/1', { metadata: '{"tenant":"other"}', data: new Uint8Array(9) }));
  store.create(freshStream('of nobody', { data: new Uint8Array(5) }));
  store.flush();
  const again = new SqliteStreamStore(database, { chunkBytes: 1_000 });
  expect(database.all('SELECT * FROM stream_totals ORDER BY tenant', [])).toEqual([
    { tenant: '', open: 2, bytes: 0 },
    { tenant: 'acme', open: 2, bytes: 1_557 },
    { tenant: 'other', open: 0, bytes: 9 },
  ]);
  expect(Object.fromEntries(again.storedBytes())).toEqual({ acme: 1_557, other: 9 });
  // Its bytes still count while it is kept for its fork.
  expect(again.remove(source)).toMatchObject({ kept: true, bytes: 0 });
  expect(Object.fromEntries(again.storedBytes())).toEqual({ acme: 1_557, other: 9 });
  expect(again.remove(keyFor('stream/acme/f'))).toMatchObject({ bytes: 7 });
  again.removeFork(source, keyFor('stream/acme/f'));
  expect(again.remove(source)).toMatchObject({ kept: false, bytes: 1_550 });
  expect(Object.fromEntries(again.storedBytes())).toEqual({ other: 9 });
  database.close();
});

test('counts the bytes that a repair leaves', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  const stream = keyFor('stream/acme/a');
  store.create(freshStream(stream.id, stream));
  for (let n = 0; n < 2; n++) store.append(stream.id, input());
  store.cutOff(stream, { chunk: 0, position: 3 });
  expect(Object.fromEntries(store.storedBytes())).toEqual({ acme: 3 });
  expect(database.all('SELECT position FROM chunks', [])).toEqual([{ position: 0 }]);
  database.close();
});
