import { expect, test } from 'vitest';
import { freshStream } from '../../../test/support/fresh-stream.js';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { AppendInput } from '../../streams/index.js';
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
  database.run('UPDATE chunks SET data = ? WHERE position = 2000000', [new Uint8Array(500_000)]);
  const { bytes, ends, corruptAt } = again.readHot('a', { chunk: 0, lo: 0, hi: 2_500_000 });
  expect([bytes.length, ends, corruptAt]).toEqual([0, [], 0]);
  expect(again.verifyTails()).toEqual(['a']);
  database.close();
});
