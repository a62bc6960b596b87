/** What a change of one stream writes, with several streams in the store, and what another store finds later. */
import { expect, onTestFinished, test } from 'vitest';
import { freshStream, hotBytes, keyFor } from '../../../test/support/fresh-stream.js';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { AppendInput } from '../../streams/index.js';
import { SqliteStreamStore } from './sqlite-stream-store.js';

const input = (text: string | null, change: Partial<AppendInput> = {}): AppendInput => ({
  ...{ data: text === null ? null : new TextEncoder().encode(text), contentType: 'text/plain', seq: null },
  ...{ producer: null, close: false, now: 7, bytesMax: 1e9, ...change },
});

function open() {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const again = () => new SqliteStreamStore(database, { chunkBytes: 10 });
  const store = again();
  for (const id of ['a', 'b']) store.create(freshStream(id));
  const stored = (id: string) => database.all('SELECT * FROM streams WHERE stream_id = ?', [id])[0];
  return { database, store, again, stored };
}

const CHANGES: readonly (readonly [string, Partial<AppendInput>, text: string, isWritten: boolean])[] = [
  ['plain', {}, 'abc', false],
  ['with a sequence', { seq: '1' }, 'abc', true],
  ['that closes', { close: true }, 'abc', true],
  ['with metadata', { metadata: '{"x":1}' }, 'abc', true],
  ['that fills a chunk', {}, '0123456789', true],
  ['that leaves one byte', {}, '012345678', false],
];

test.each(CHANGES)('an append %s is found by another store', (_name, change, text, isWritten) => {
  const { store, again, stored } = open();
  const before = [stored('a'), stored('b')];
  const outcome = store.append('a', input(text, change));
  expect(stored('a')).toEqual(before[0]);
  store.flush();
  expect([stored('a')?.['total_bytes'], stored('b')]).toEqual([isWritten ? text.length : 0, before[1]]);
  // Only use moves the time of the last access, and a plain append does not write it.
  const { accessedAt: _, ...state } = outcome.kind === 'appended' ? outcome.state : { accessedAt: 0 };
  expect(again().get('a')).toMatchObject(state);
});

test('a stream with a time to live is written with every append', () => {
  const { store, stored } = open();
  store.create(freshStream('t', { ttlSeconds: 60 }));
  store.append('t', input('x', { now: 99 }));
  store.flush();
  expect(stored('t')).toMatchObject({ accessed_at: 99, total_bytes: 1 });
});

test('a row lags behind at most 256 records', () => {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const store = new SqliteStreamStore(database);
  store.create(freshStream('a'));
  const total = () => database.all('SELECT total_bytes FROM streams', [])[0]?.['total_bytes'];
  const appended = (count: number) => {
    for (let n = 0; n < count; n++) store.append('a', input('x'));
    store.flush();
    return total();
  };
  expect([appended(255), appended(1), appended(255), appended(1)]).toEqual([0, 256, 256, 512]);
});

test('a touch moves the access of one stream, and only forwards', () => {
  const { store, again, stored } = open();
  const before = stored('b');
  store.touch(keyFor('a'), 50);
  store.touch(keyFor('a'), 49);
  store.touch(keyFor('none'), 50);
  for (const each of [store, again()]) expect(each.get('a')?.accessedAt).toBe(50);
  expect(stored('b')).toEqual(before);
});

test('damage is marked at the first position of one stream, and a repair clears it', () => {
  const { store, again, stored } = open();
  const before = stored('b');
  for (const [chunk, position] of [
    [1, 5],
    [1, 6],
    [0, 9],
    [2, 0],
  ] as const) {
    store.markCorrupt(keyFor('a'), { chunk, position });
  }
  for (const each of [store, again()]) expect(each.get('a')?.corruptFrom).toEqual({ chunk: 0, position: 9 });
  expect([store.damagedStreams(), stored('b')]).toEqual([[keyFor('a')], before]);
  store.markCorrupt(keyFor('b'), { chunk: 0, position: 0 });
  store.clearDamage(keyFor('a'));
  expect([store.get('a')?.corruptFrom, store.damagedStreams()]).toEqual([null, [keyFor('b')]]);
});

test('a chunk that is given up is empty, and the others keep their bytes', () => {
  const { store } = open();
  for (const id of ['a', 'b']) for (let n = 0; n < 2; n++) store.append(id, input('0123456789'));
  store.giveUpChunk(keyFor('a'), 0);
  const ends = (id: string) => store.chunks(keyFor(id), 0, 9).map(({ start, end }) => end - start);
  expect([ends('a'), ends('b')]).toEqual([
    [0, 10],
    [10, 10],
  ]);
});

const CUTS: readonly (readonly [chunk: number, position: number, ends: readonly number[], left: number])[] = [
  [0, 0, [0, 0, 0], 0],
  [0, 5, [5, 0, 0], 5],
  [1, 0, [10, 0, 0], 10],
  [2, 0, [10, 10, 0], 20],
  [2, 3, [10, 10, 3], 23],
];

test.each(CUTS)('a stream that is cut off at %d/%d goes on in a new chunk', (chunk, position, ends, left) => {
  const { store, database } = open();
  for (const id of ['a', 'b']) {
    for (let n = 0; n < 4; n++) store.append(id, input('01234'));
    for (let n = 0; n < 2; n++) store.append(id, input('xyz'));
  }
  store.markCorrupt(keyFor('a'), { chunk, position });
  store.cutOff(keyFor('a'), { chunk, position });
  expect(store.chunks(keyFor('a'), 0, 9).map(({ end, base }) => [end, base])).toEqual(
    ends.map((end, n) => [end, 10 * n]),
  );
  expect(store.get('a')).toMatchObject({ tail: { chunk: 3, position: 0 }, corruptFrom: null });
  const bytes = (id: string) =>
    database.all('SELECT coalesce(sum(length(data)), 0) AS n FROM chunks WHERE stream_id = ?', [
      keyFor(id).life,
    ])[0]?.['n'];
  expect([bytes('a'), bytes('b')]).toEqual([left, 26]);
  expect(store.append('a', input('on'))).toMatchObject({ from: { chunk: 3, position: 0 } });
});

test('a removed stream takes its records, chunks, forks and producers with it, and no others', () => {
  const { store, database } = open();
  for (const id of ['a', 'b']) {
    store.append(id, input('0123456789', { producer: { id: 'p', epoch: 0, seq: 0 } }));
    store.append(id, input('x'.repeat(9)));
  }
  store.markCold(keyFor('a'), 0);
  expect(store.remove(keyFor('a'))).toEqual({ wasDeleted: false, kept: false, cold: [0], bytes: 19 });
  const lives = (table: string) =>
    new Set(database.all(`SELECT stream_id FROM ${table}`, []).map((row) => row['stream_id']));
  for (const table of ['chunks', 'sealed_chunks', 'producers']) {
    expect([table, lives(table)]).toEqual([table, new Set([keyFor('b').life])]);
  }
  expect(hotBytes(store.readHot(keyFor('b'), { chunk: 0, lo: 0, hi: 10 })).bytes).toHaveLength(10);
});
