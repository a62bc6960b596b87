import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshStream, keyFor } from '../../../test/support/fresh-stream.js';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { StreamListPosition, StreamListQuery } from '../../streams/index.js';
import { SqliteStreamStore } from './sqlite-stream-store.js';
import { rangesOf, SCANNED_MAX } from './stream-lists.js';

const after = { createdAt: 5, id: 'stream/a/x' };

test.each([
  ['newest', {}],
  ['by state', { closed: true }],
  ['by outcome', { outcome: 'failed' }],
])('a page of the list (%s) searches an index and sorts nothing', (_name, filter) => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-lists-'));
  const database = openDatabase(join(folder, 'sonde.db'), { refuse: () => {} });
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  new SqliteStreamStore(database);
  const query = { collections: ['stream/a', 'proxy/a'], limit: 50, after, ...filter };
  for (const { sql, params } of rangesOf('streams', query)) {
    const plan = database
      .all(`EXPLAIN QUERY PLAN ${sql}`, [...params, 51])
      .map((row) => String(row['detail']));
    expect(plan).toEqual([
      expect.stringMatching(/^SEARCH streams USING INDEX streams_(listed|ended) .*created_at,stream_id\)<\(/),
    ]);
  }
});

function openStore() {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const store = new SqliteStreamStore(database);
  const stream = (path: string, createdAt: number, closed = false) =>
    store.create(freshStream(`stream/a/${path}`, { collection: 'stream/a', createdAt, closed }));
  const response = (id: string, createdAt: number, metadataFields: Record<string, string>) => {
    const metadata = JSON.stringify({ tenant: 'a', ...metadataFields });
    store.create(
      freshStream(`proxy/${id}`, {
        collection: 'proxy/a',
        createdAt,
        closed: 'outcome' in metadataFields,
        metadata,
      }),
    );
  };
  /** The ids of each page, to the end of the list. */
  const pages = (query: Partial<StreamListQuery>) => {
    const found: string[][] = [];
    for (let after: StreamListPosition | null = null; ; ) {
      const whole: StreamListQuery = { collections: ['stream/a', 'proxy/a'], limit: 10, ...query };
      const page = store.listPage({ ...whole, ...(after && { after }) });
      found.push(page.streams.map(({ id }) => id));
      if (!page.next) return found;
      after = page.next;
    }
  };
  return { database, store, stream, response, pages };
}

test('combines filters, however the stream is found', () => {
  const { stream, response, pages } = openStore();
  stream('x/open', 1);
  stream('x/closed', 2, true);
  response('done', 3, { outcome: 'completed', upstream_url: 'https://up.example/Chat' });
  response('lost', 4, { outcome: 'failed', route: 'chat' });
  response('now', 5, { upstream_url: 'https://up.example/live' });
  const all = (query: Partial<StreamListQuery>) => pages(query).flat();
  for (const lead of [{ idPrefix: 'stream/a/x' }, { id: 'stream/a/x/open' }]) {
    expect(all({ ...lead, closed: false })).toEqual(['stream/a/x/open']);
    expect(all({ ...lead, outcome: 'completed' })).toEqual([]);
    expect(all({ ...lead, text: 'ope' })).toEqual(['stream/a/x/open']);
  }
  expect(all({ idPrefix: 'stream/a/x', closed: true })).toEqual(['stream/a/x/closed']);
  expect(all({ id: 'stream/a/x/open', closed: true })).toEqual([]);
  expect(all({ id: 'stream/a/x/open', text: 'nothing' })).toEqual([]);
  expect(all({ id: 'proxy/lost', outcome: 'failed' })).toEqual(['proxy/lost']);
  expect(all({ id: 'proxy/lost', outcome: 'completed' })).toEqual([]);
  expect(all({ outcome: 'failed', closed: false })).toEqual([]);
  expect(all({ text: 'chat' })).toEqual(['proxy/lost', 'proxy/done']);
  expect(all({ text: 'live', closed: false })).toEqual(['proxy/now']);
  // The kind and the tenant before the name are not searched.
  expect(all({ text: 'stream/' })).toEqual([]);
  expect(all({ text: 'proxy' })).toEqual([]);
  expect(all({ text: 'a/x' })).toEqual([]);
  expect(all({ text: 'now' })).toEqual(['proxy/now']);
});

test('lists streams of the same time in id order, and pages neither repeat nor lose one', () => {
  const { stream, pages } = openStore();
  for (const [index, path] of ['b', 'd', 'a', 'c', 'e'].entries()) stream(path, 7, index % 2 === 0);
  stream('older', 6);
  const ids = ['e', 'd', 'c', 'b', 'a', 'older'].map((path) => `stream/a/${path}`);
  for (const limit of [1, 2, 3, 5, 6]) {
    const found = pages({ limit });
    expect(found.flat()).toEqual(ids);
    expect(found.map((page) => page.length)).toEqual(
      Array.from({ length: Math.ceil(ids.length / limit) }, (_, n) =>
        Math.min(limit, ids.length - n * limit),
      ),
    );
  }
});

test('lists no deleted streams and no streams of another prefix', () => {
  const { store, stream, pages } = openStore();
  for (const path of ['x', 'xy', 'y']) stream(path, 1);
  store.addFork(keyFor('stream/a/xy'), { ...keyFor('fork'), announcedAt: 0 });
  store.remove(keyFor('stream/a/xy'));
  expect(pages({ id: 'stream/a/xy' })).toEqual([[]]);
  expect(pages({ idPrefix: 'stream/a/x' })).toEqual([['stream/a/x']]);
  expect(pages({ idPrefix: 'stream/a/', limit: 1 }).flat()).toEqual(['stream/a/x', 'stream/a/y']);
  expect(pages({ id: 'stream/a/x', collections: ['proxy/a'] })).toEqual([[]]);
});

test.each([{}, { idPrefix: 'stream/a/' }])(
  'a search stops after its limit of rows and continues on the next page %j',
  (lead) => {
    const { database, stream, pages } = openStore();
    database.begin();
    const name = (n: number) => `s${String(n).padStart(5, '0')}`;
    for (let n = 0; n < SCANNED_MAX + 10; n++) stream(name(n), 100_000 - n);
    stream('s99999', 1);
    database.commit();
    const last = ['stream/a/s99999'];
    expect(pages({ ...lead, text: '999' })).toEqual([['00999', '01999'].map((n) => `stream/a/s${n}`), last]);
  },
);
