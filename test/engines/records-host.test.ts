import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRecordsHost, type RecordsHost } from '../../src/runtimes/node/records/records-host.js';
import { RECORDS_WORKER_URL } from '../support/serve.js';

let folder: string;
let host: RecordsHost;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-records-'));
  host = await openRecordsHost({ path: join(folder, 'records.db'), workerUrl: RECORDS_WORKER_URL });
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
