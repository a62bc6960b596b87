import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { SqliteStreamStore } from './sqlite-stream-store.js';
import { rangesOf } from './stream-lists.js';

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
