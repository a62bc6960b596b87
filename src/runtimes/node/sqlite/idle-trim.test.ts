import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleTrim } from './idle-trim.js';
import { type OpenDatabase, openDatabase } from './open-database.js';

let folder: string;
let database: OpenDatabase;
const sizeOf = (name: string) => statSync(join(folder, name)).size;

beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'sonde-trim-'));
  database = openDatabase(join(folder, 'x.db'));
  database.run('CREATE TABLE blobs (data BLOB)', []);
});
afterEach(() => {
  vi.useRealTimers();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function fillAndEmpty(): void {
  for (let n = 0; n < 16; n++) database.run('INSERT INTO blobs VALUES (zeroblob(1000000))', []);
  database.run('DELETE FROM blobs', []);
  database.checkpoint();
}

test('an idle store returns all but a few unused pages to the file system', async () => {
  fillAndEmpty();
  expect(sizeOf('x.db')).toBeGreaterThan(16_000_000);
  const trim = new IdleTrim(database, { idleMs: 1_000 });
  trim.used();
  await vi.advanceTimersByTimeAsync(900);
  trim.used();
  await vi.advanceTimersByTimeAsync(900);
  expect(sizeOf('x.db')).toBeGreaterThan(16_000_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(database.unusedPages()).toBe(1_024);
  expect(sizeOf('x.db')).toBeLessThan(5_500_000);
});

test('a file that is being copied does not change', async () => {
  fillAndEmpty();
  const before = database.unusedPages();
  const trim = new IdleTrim(database, { idleMs: 1_000 });
  trim.used();
  trim.hold();
  trim.used();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(database.unusedPages()).toBe(before);
  trim.release();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(database.unusedPages()).toBe(1_024);
});

test('later writes shrink the log after one large transaction', () => {
  database.begin();
  for (let n = 0; n < 16; n++) database.run('INSERT INTO blobs VALUES (zeroblob(1000000))', []);
  database.commit();
  expect(sizeOf('x.db-wal')).toBeGreaterThan(15_000_000);
  for (let n = 0; n < 3; n++) {
    database.run('INSERT INTO blobs VALUES (zeroblob(10))', []);
    database.checkpoint();
  }
  expect(sizeOf('x.db-wal')).toBeLessThan(5_000_000);
});
