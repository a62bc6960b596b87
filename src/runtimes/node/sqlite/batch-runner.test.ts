import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshStream, keyFor } from '../../../../test/support/fresh-stream.js';
import { SqliteStreamStore } from '../../../stores/sqlite/sqlite-stream-store.js';
import type { AppendInput, AppendOutcome } from '../../../streams/index.js';
import { BatchRunner } from './batch-runner.js';
import { type OpenDatabase, openDatabase } from './open-database.js';

let folder: string;
let path: string;
let database: OpenDatabase;
let syncs = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-batch-runner-'));
  path = join(folder, 'sonde.db');
  syncs = 0;
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): BatchRunner {
  // Shared, because the driver keeps an exclusive lock for as long as its thread lives.
  database = openDatabase(path, { shared: true });
  const counted = {
    ...database,
    commit: () => {
      syncs++;
      database.commit();
    },
  };
  return new BatchRunner(counted, { streams: new SqliteStreamStore(counted) });
}

const append = (id: string, text: string) => {
  const data = new TextEncoder().encode(text);
  const options = {
    contentType: 'text/plain',
    seq: null,
    producer: null,
    close: false,
    now: 0,
    bytesMax: 1e9,
  };
  return { method: 'append' as const, args: [id, { data, ...options } satisfies AppendInput] };
};
const create = (id: string) => ({ method: 'create' as const, args: [freshStream(id)] });

const ends = (results: ReturnType<BatchRunner['run']>) =>
  results.map((result) => {
    if ('fault' in result) return result.fault.code;
    return (result.value as Extract<AppendOutcome, { kind: 'appended' }>).state?.totalBytes ?? 'read';
  });

/** Overwrites the header of a leaf page that contains the text; inner pages are shared with other rows. */
function damage(text: string): void {
  const bytes = readFileSync(path);
  const pageBytes = bytes.readUInt16BE(16);
  const pages = Array.from({ length: bytes.length / pageBytes }, (_, n) => n * pageBytes);
  const leaves = pages.filter((at) => {
    const isLeaf = bytes[at] === 0x0a || bytes[at] === 0x0d;
    return isLeaf && bytes.subarray(at, at + pageBytes).indexOf(text) >= 0;
  });
  const leaf = leaves[Math.floor(leaves.length / 2)] ?? 0;
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(12).fill(0xff), 0, 12, leaf);
  closeSync(file);
}

test('a damaged page fails only the calls that need it, however often it is read', () => {
  let runner = open();
  runner.run([create('a'), create('b')]);
  const filler = 'damaged'.repeat(100);
  for (let n = 0; n < 60; n++) runner.run([append('a', filler)]);
  for (let n = 0; n < 60; n++) runner.run([append('b', 'healthy'.repeat(100))]);
  database.run('PRAGMA wal_checkpoint(TRUNCATE)', []);
  database.close();
  damage(filler);
  runner = open();
  const span = { chunk: 0, lo: 0, hi: 700 * 60 };
  const read = { method: 'readHot' as const, args: [keyFor('a'), span] };
  for (let n = 1; n <= 3; n++) {
    expect(ends(runner.run([read, append('b', '!')]))).toEqual(['STORAGE_UNAVAILABLE', 700 * 60 + n]);
  }
  expect(ends(runner.run([read]))).toEqual(['STORAGE_UNAVAILABLE']);
});

test('commits the other calls of a batch together if one fails', () => {
  const runner = open();
  runner.run([create('a')]);
  const before = syncs;
  const bad = { method: 'readHot' as const, args: [undefined, undefined] };
  const results = runner.run([append('a', '1'), bad, ...Array.from({ length: 100 }, () => append('a', '2'))]);
  expect(ends(results).slice(0, 3)).toEqual([1, 'STORAGE_UNAVAILABLE', 2]);
  expect(ends(results).at(-1)).toBe(101);
  expect(syncs - before).toBe(1);
  expect(ends(runner.run([append('a', '3')]))).toEqual([102]);
});
