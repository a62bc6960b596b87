import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRecordsHost, type RecordsHost } from '../../src/runtimes/node/records/records-host.js';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { RECORDS_WORKER_URL } from '../support/serve.js';

let folder: string;
let host: RecordsHost;
let lines: LogLine[];
const open = () =>
  openRecordsHost({
    path: join(folder, 'records.db'),
    workerUrl: RECORDS_WORKER_URL,
    log: keepingLog(lines),
  });
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-records-'));
  lines = [];
  host = await open();
});
afterEach(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

const codeOf = (response: Promise<unknown>) =>
  response.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );

test('closing waits for earlier calls, refuses later ones, and always ends', async () => {
  const find = () => codeOf(host.stores.tenants.bySlug('nobody'));
  const before = find();
  await Promise.resolve();
  // Batched after the first call, so it has not reached the thread yet.
  const gathered = find();
  const closing = Promise.all([host.close(), host.close()]);
  const after = find();
  await closing;
  expect([await before, await gathered, await after, await find()]).toEqual([
    'answered',
    'STORAGE_UNAVAILABLE',
    'STORAGE_UNAVAILABLE',
    'STORAGE_UNAVAILABLE',
  ]);
});

test('the log says why a call failed, and its caller learns only that the store did', async () => {
  await host.close();
  const database = new Database(join(folder, 'records.db'));
  database.exec('ALTER TABLE tenants RENAME COLUMN slug TO nickname');
  database.close();
  host = await open();
  await expect(host.stores.tenants.bySlug('nobody')).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message: 'the store failed; nothing was acknowledged',
  });
  expect(lines).toMatchObject([
    { level: 'error', message: 'the store failed', fields: { code: 'STORAGE_UNAVAILABLE' } },
  ]);
  expect(lines[0]?.fields['error']).toContain('no such column: slug');
});
