import { expect, test } from 'vitest';
import { freshStream, hotBytes, keyFor } from '../../../test/support/fresh-stream.js';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { AppendInput } from '../../streams/index.js';
import { SqliteStreamStore } from './sqlite-stream-store.js';

const input = (text: string, change: Partial<AppendInput> = {}): AppendInput => ({
  data: new TextEncoder().encode(text),
  contentType: 'text/plain',
  seq: null,
  producer: null,
  close: false,
  now: 0,
  bytesMax: 1e9,
  ...change,
});

test('every open stream ends its current chunk and continues in an unused one', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database, { chunkBytes: 100 });
  for (const id of ['open', 'closed', 'damaged', 'deleted']) store.create(freshStream(id));
  const inherited = { start: { chunk: 3, position: 40 }, inheritedBytes: 340 };
  store.create(freshStream('fork', inherited));
  store.append('open', input('x'.repeat(100)));
  store.append('open', input('abc'));
  store.append('fork', input('own'));
  store.append('closed', input('abc', { close: true }));
  store.markCorrupt(keyFor('damaged'), { chunk: 0, position: 0 });
  store.addFork(keyFor('deleted'), { ...keyFor('fork'), announcedAt: 0 });
  store.remove(keyFor('deleted'));
  store.flush();
  expect(store.skipChunks()).toBe(2);
  expect(store.get('open')).toMatchObject({ tail: { chunk: 10_001, position: 0 }, totalBytes: 103 });
  expect(store.chunks(keyFor('open'), 1, 20_000)).toEqual([
    { chunk: 1, start: 0, end: 3, base: 100, cold: false },
  ]);
  expect(store.get('fork')).toMatchObject({ tail: { chunk: 10_003, position: 0 }, totalBytes: 343 });
  expect(store.chunks(keyFor('fork'), 0, 20_000)).toEqual([
    { chunk: 3, start: 40, end: 43, base: 300, cold: false },
  ]);
  for (const id of ['closed', 'damaged', 'deleted']) expect(store.get(id)?.tail.chunk).toBe(0);
  expect(store.append('open', input('more'))).toMatchObject({ from: { chunk: 10_001, position: 0 } });
  const hot = hotBytes(store.readHot(keyFor('open'), { chunk: 10_001, lo: 0, hi: 4 }));
  expect(new TextDecoder().decode(hot.bytes)).toBe('more');
  database.close();
});

test('handles more streams than one page', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  database.begin();
  for (let n = 0; n < 1_001; n++) store.create(freshStream(`s${n}`));
  expect(store.skipChunks()).toBe(1_001);
  database.commit();
  expect(store.get('s1000')?.tail).toEqual({ chunk: 10_000, position: 0 });
  database.close();
});

test('checks tails page by page and finds damage in open and closed streams', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  for (const id of ['a', 'b', 'c', 'd']) {
    store.create(freshStream(id));
    store.append(id, input('abc'));
  }
  store.append('d', input('end', { close: true }));
  store.markCorrupt(keyFor('d'), { chunk: 0, position: 3 });
  store.flush();
  database.run("UPDATE chunks SET data = CAST('###' AS BLOB) WHERE stream_id = 'life of b'", []);
  const again = new SqliteStreamStore(database);
  expect(again.checkTails('', 2)).toEqual({ damaged: [keyFor('b')], next: 'b' });
  expect(again.checkTails('b', 2)).toEqual({ damaged: [keyFor('d')], next: 'd' });
  expect(again.checkTails('d', 2)).toEqual({ damaged: [], next: null });
  expect(again.get('b')?.corruptFrom).toEqual({ chunk: 0, position: 0 });
  expect(again.append('b', input('x'))).toMatchObject({ kind: 'refused', why: { rule: 'corrupt' } });
  expect(again.append('a', input('x'))).toMatchObject({ kind: 'appended' });
  expect(again.damagedStreams()).toEqual([keyFor('b'), keyFor('d')]);
  database.close();
});

test('a torn record is found when its stream is used before the tails were checked', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteStreamStore(database);
  store.create(freshStream('a'));
  store.append('a', input('abc'));
  store.flush();
  database.run("UPDATE chunks SET data = CAST('###' AS BLOB)", []);
  const again = new SqliteStreamStore(database);
  expect(again.append('a', input('x'))).toMatchObject({ kind: 'refused', why: { rule: 'corrupt' } });
  expect(again.damagedStreams()).toEqual([keyFor('a')]);
  database.close();
});
