import { expect, test } from 'vitest';
import { freshStream, hotBytes, keyFor } from '../../../test/support/fresh-stream.js';
import { type OpenDatabase, openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { AppendInput } from '../../streams/index.js';
import { LooseData, type StagedRecord } from './loose-data.js';
import { complementOf } from './record-rows.js';
import { SqliteStreamStore } from './sqlite-stream-store.js';

const PIECE = 100_000;

const input = (more: Partial<AppendInput> = {}): AppendInput => ({
  data: null,
  contentType: 'text/plain',
  seq: null,
  producer: null,
  close: false,
  now: 0,
  bytesMax: 1e9,
  ...more,
});

const counts = (database: OpenDatabase) =>
  database.all(
    'SELECT (SELECT count(*) FROM long_data) AS data, (SELECT count(*) FROM loose_data) AS loose',
    [],
  )[0];

function opened(database = openDatabase(':memory:'), chunkBytes?: number) {
  const loose = new LooseData(database);
  const store = new SqliteStreamStore(database, { loose, ...(chunkBytes !== undefined && { chunkBytes }) });
  const stage = (pieces: number): StagedRecord => ({
    length: pieces * PIECE,
    parts: Array.from({ length: pieces }, (_, n) => {
      const { number, checksum } = loose.stage(new Uint8Array(PIECE).fill(n));
      return { from: n * PIECE, number, checksum: n < pieces - 1 ? complementOf(checksum) : checksum };
    }),
  });
  return { database, loose, store, stage };
}

test('a staged record is invisible until it is appended, and is then one record', () => {
  const { database, store, stage } = opened();
  store.create(freshStream('a'));
  const record = stage(3);
  expect(store.get('a')?.totalBytes).toBe(0);
  const outcome = store.append('a', input(), record);
  expect(outcome).toMatchObject({ kind: 'appended', state: { totalBytes: 3 * PIECE } });
  expect(counts(database)).toEqual({ data: 3, loose: 0 });
  const span = { chunk: 0, lo: 0, hi: 3 * PIECE };
  const { bytes, ends, corruptAt } = hotBytes(store.readHot(keyFor('a'), span));
  expect([bytes.length, bytes[0], bytes[2 * PIECE], ends, corruptAt]).toEqual([
    3 * PIECE,
    0,
    2,
    [3 * PIECE],
    null,
  ]);
  expect(new SqliteStreamStore(database).get('a')).toEqual(store.get('a'));
  database.close();
});

test('the next start removes the data of a record that was being staged during a crash', () => {
  const { database, store, stage } = opened();
  store.create(freshStream('a'));
  stage(2);
  const after = opened(database);
  expect(after.store.get('a')?.totalBytes).toBe(0);
  expect(after.loose.hasUnused).toBe(true);
  after.loose.dropUnused(1);
  expect(counts(database)).toEqual({ data: 1, loose: 1 });
  while (after.loose.hasUnused) after.loose.dropUnused(1);
  expect(counts(database)).toEqual({ data: 0, loose: 0 });
  database.close();
});

test('removes the data of refused records, but not of records that are still staged', () => {
  const { database, loose, store, stage } = opened();
  store.create(freshStream('a', { closed: true }));
  const kept = stage(1);
  const refused = stage(2);
  expect(store.append('a', input(), refused)).toMatchObject({ kind: 'refused', why: { rule: 'closed' } });
  expect(store.append('none', input(), stage(1))).toEqual({ kind: 'missing' });
  expect(store.create(freshStream('a'), stage(1))).toMatchObject({ created: false });
  while (loose.hasUnused) loose.dropUnused(2);
  expect(counts(database)).toEqual({ data: 1, loose: 1 });
  store.create(freshStream('b'), kept);
  expect(counts(database)).toEqual({ data: 1, loose: 0 });
  expect(store.get('b')?.totalBytes).toBe(PIECE);
  database.close();
});

test('staged bytes count towards the limit of the stream', () => {
  const { database, store, stage } = opened();
  store.create(freshStream('a'));
  const small = input({ bytesMax: 2 * PIECE - 1 });
  expect(store.append('a', small, stage(2))).toMatchObject({ kind: 'refused', why: { rule: 'stream_size' } });
  expect(store.append('a', input({ bytesMax: 2 * PIECE }), stage(2))).toMatchObject({ kind: 'appended' });
  database.close();
});

test('removes the long data of a cold chunk and of a removed stream in steps', () => {
  const { database, loose, store, stage } = opened(undefined, PIECE);
  store.create(freshStream('a'));
  store.append('a', input(), stage(2));
  store.append('a', input({ data: new Uint8Array(5_000) }));
  expect(store.markCold(keyFor('a'), 0)).toBe(true);
  expect(counts(database)).toEqual({ data: 3, loose: 2 });
  store.remove(keyFor('a'));
  expect(counts(database)).toEqual({ data: 3, loose: 3 });
  while (loose.hasUnused) loose.dropUnused(1);
  expect(counts(database)).toEqual({ data: 0, loose: 0 });
  database.close();
});

const TINY = 2_500;

/** Appends records of one row each, every one from another producer. */
function appendTinyRecords(store: SqliteStreamStore, id: string, count = TINY) {
  for (let n = 0; n < count; n++) {
    const producer = { id: `p${n}`, epoch: 0, seq: 0 };
    store.append(id, input({ data: new Uint8Array(2), producer }));
  }
  store.flush();
}

const rowCounts = (database: OpenDatabase) =>
  database.all(
    `SELECT (SELECT count(*) FROM chunks) AS rows, (SELECT count(*) FROM producers) AS producers,
      (SELECT count(*) FROM loose_rows) AS loose`,
    [],
  )[0];

test('a removed stream of many records is gone at once, and its rows are deleted a thousand at a time', () => {
  const { database, loose, store } = opened();
  store.create(freshStream('a'));
  appendTinyRecords(store, 'a');
  expect(store.remove(keyFor('a'))).toMatchObject({ kept: false, bytes: 2 * TINY });
  expect(store.get('a')).toBeUndefined();
  expect(store.readHot(keyFor('a'), { chunk: 0, lo: 2 * TINY - 2, hi: 2 * TINY })).toBe('removed');
  expect(rowCounts(database)).toEqual({ rows: 1_500, producers: TINY, loose: 1 });
  store.create(freshStream('a', { life: 'another life' }));
  appendTinyRecords(store, 'a', 3);
  loose.dropUnused(1);
  expect(rowCounts(database)).toEqual({ rows: 503, producers: TINY + 3, loose: 1 });
  // A crash in between.
  const after = opened(database).loose;
  while (after.hasUnused) after.dropUnused(1);
  expect(rowCounts(database)).toEqual({ rows: 3, producers: 3, loose: 0 });
  database.close();
});

test('a cold chunk is read from its segment while its rows are being deleted', () => {
  const { database, loose, store } = opened(undefined, 2 * TINY);
  store.create(freshStream('a'));
  appendTinyRecords(store, 'a', TINY + 10);
  const key = keyFor('a');
  store.markCold(key, 0);
  expect(rowCounts(database)).toMatchObject({ rows: 1_510, loose: 1 });
  expect(store.readHot(key, { chunk: 0, lo: 0, hi: 2 * TINY })).toBe('cold');
  expect(store.readHot(key, { chunk: 0, lo: 1_998, hi: 2_002 })).toBe('cold');
  while (loose.hasUnused) loose.dropUnused(1);
  expect(rowCounts(database)).toMatchObject({ rows: 10, loose: 0 });
  expect(hotBytes(store.readHot(key, { chunk: 1, lo: 0, hi: 20 })).bytes.length).toBe(20);
  database.close();
});

test('the producers of a removed stream are deleted in steps of a thousand', () => {
  const { database, loose, store } = opened();
  store.create(freshStream('a'));
  database.run(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2500)
      INSERT INTO producers (stream_id, producer_id, epoch, seq) SELECT ?, printf('p%04d', n), 0, 0 FROM n`,
    [keyFor('a').life],
  );
  store.remove(keyFor('a'));
  expect(rowCounts(database)).toMatchObject({ producers: 1_500, loose: 1 });
  loose.dropUnused(1);
  expect(rowCounts(database)).toMatchObject({ producers: 500, loose: 1 });
  loose.dropUnused(1);
  expect(rowCounts(database)).toMatchObject({ producers: 0, loose: 0 });
  database.close();
});
