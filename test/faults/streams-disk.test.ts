import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BatchRunner } from '../../src/runtimes/node/sqlite/batch-runner.js';
import { type OpenDatabase, openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { SqliteStreamStore } from '../../src/stores/sqlite/sqlite-stream-store.js';
import type { AppendInput, AppendOutcome } from '../../src/streams/index.js';
import { freshStream } from '../support/fresh-stream.js';

/**
 * A database that may not grow: SQLite itself refuses in the middle of a statement, as on a full disk. `npm run faults
 * -- streams-disk` fills a real disk; this test needs no right to mount.
 */
let folder: string;
let database: OpenDatabase;
let runner: BatchRunner;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-disk-'));
  database = openDatabase(join(folder, 'sonde.db'));
  runner = new BatchRunner(database, { streams: new SqliteStreamStore(database) });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const input = (bytes: number): AppendInput => ({
  data: new Uint8Array(bytes).fill(120),
  contentType: 'text/plain',
  seq: null,
  producer: null,
  close: false,
  now: 0,
  bytesMax: 1e9,
});
const append = (id: string, bytes: number) => ({ method: 'append' as const, args: [id, input(bytes)] });

/** Returns how each call of one batch ended: the stream's length, or the code. */
function run(...calls: { method: 'append' | 'create'; args: readonly unknown[] }[]): (number | string)[] {
  return runner.run(calls).map((result) => {
    if ('fault' in result) return result.fault.code;
    return (result.value as Extract<AppendOutcome, { kind: 'appended' }>).state.totalBytes;
  });
}

/** Lets the file grow by this many pages beyond its current, fully used size. */
function growBy(pages: number): void {
  const [count] = database.all('PRAGMA page_count', []);
  const [free] = database.all('PRAGMA freelist_count', []);
  const [, used = 0] = [free, Number(count?.['page_count']) - Number(free?.['freelist_count'])];
  database.all(`PRAGMA max_page_count = ${used + pages}`, []);
}

test('data that does not fit is 507, leaves no trace, and harms nothing committed with it', () => {
  database.run('VACUUM', []);
  run(...['a', 'b', 'c'].map((id) => ({ method: 'create' as const, args: [freshStream(id)] })));
  growBy(4);
  expect(run(append('a', 100), append('b', 1_000_000), append('c', 100))).toEqual([100, 'STORAGE_FULL', 100]);
  expect(run(append('b', 1_000_000))).toEqual(['STORAGE_FULL']);
  expect(run(append('a', 10), append('b', 10))).toEqual([110, 10]);
  growBy(100_000);
  expect(run(append('b', 1_000_000), append('a', 5))).toEqual([1_000_010, 115]);
  runner = new BatchRunner(database, { streams: new SqliteStreamStore(database) });
  expect(run(append('a', 1), append('b', 1), append('c', 1))).toEqual([116, 1_000_011, 101]);
});
