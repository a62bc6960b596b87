import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SondeError } from '../../../errors.js';
import { uniqueKey } from '../../../jobs/index.js';
import { createRecordStores, type RecordStores } from '../../../stores/sqlite/record-stores.js';
import { uuidV7 } from '../../../uuid.js';
import { type OpenDatabase, openDatabase } from '../sqlite/open-database.js';
import { BatchTransactions } from './batch-transactions.js';

const HOUR_MS = 3_600_000;

let folder: string;
let database: OpenDatabase;
let stores: RecordStores;
let batches: BatchTransactions;
let now = 1_700_000_000_000;
let step = 0;
let gone: SondeError | undefined;
let failsCommit = false;
const tenantId = uuidV7(now);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-batches-'));
  database = openDatabase(join(folder, 'records.db'), { shared: true });
  stores = createRecordStores(database, () => now);
  gone = undefined;
  const commit = () => {
    const fails = failsCommit;
    failsCommit = false;
    if (fails) throw new Error('the disk is full');
    database.commit();
  };
  batches = new BatchTransactions({
    database: { ...database, commit },
    stores,
    files: {
      check: () => {
        if (gone) throw gone;
      },
    },
    clock: {
      takeStep: () => {
        const taken = step;
        step = 0;
        return taken;
      },
      save: () => undefined,
    },
  });
  stores.tenants.create({ id: tenantId, slug: 'default', name: 'Default', quotas: {} });
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function setClock(byMs: number): void {
  now += byMs;
  step += byMs;
}

const call = (method: string, ...args: unknown[]) => ({ store: 'jobs' as const, method, args });
const value = (result: unknown) => (result as { value: unknown }).value;
const run = (method: string, ...args: unknown[]) => value(batches.run([call(method, ...args)])[0]);

const job = () => ({
  jobId: uuidV7(now),
  tenantId,
  kind: 'hello',
  payload: {},
  idempotencyKey: uniqueKey(),
  maxAttempts: 3,
});
const CLAIM = { workerId: 'w', kinds: ['hello'], limit: 10, leaseMs: 60_000, runningMax: 10, after: null };
const REAP = { limit: 10, backoffFirstMs: 0, backoffMaxMs: 0, fractions: [] };

test.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('a clock step %s by an hour neither expires a lease nor delays a job', (_name, byMs) => {
  run('enqueue', [job()]);
  expect(run('claim', CLAIM)).toMatchObject({ jobs: [{ leaseToken: 1 }] });
  run('enqueue', [job(), { ...job(), delayMs: 5_000 }]);
  setClock(byMs);
  expect(run('reap', REAP)).toEqual([]);
  expect(run('claim', CLAIM)).toMatchObject({ jobs: [{ attempt: 1 }] });
  now += 5_000;
  expect(run('claim', CLAIM)).toMatchObject({ jobs: [{ attempt: 1 }] });
  now += 61_000;
  expect(run('reap', REAP)).toHaveLength(3);
});

test('pullBack corrects jobs that were scheduled by a clock that was ahead', () => {
  now += 24 * HOUR_MS;
  run('enqueue', [job(), { ...job(), delayMs: 5_000 }]);
  run('claim', CLAIM);
  now -= 24 * HOUR_MS;
  expect(run('claim', CLAIM)).toMatchObject({ jobs: [] });
  expect(run('pullBack')).toBe(2);
  expect(run('reap', REAP)).toHaveLength(1);
  expect((run('claim', CLAIM) as { jobs: unknown[] }).jobs).toHaveLength(2);
});

test('a clock step is applied once, even if the first batch fails', () => {
  run('enqueue', [job()]);
  run('claim', CLAIM);
  setClock(HOUR_MS);
  failsCommit = true;
  expect(batches.run([call('reap', REAP)])).toMatchObject([{ fault: {} }]);
  expect(run('reap', REAP)).toEqual([]);
  now += 61_000;
  expect(run('reap', REAP)).toHaveLength(1);
});

test('does not write to files that are gone', () => {
  gone = new SondeError('STORAGE_UNAVAILABLE', 'records.db is gone');
  const [result] = batches.run([call('enqueue', [job()])]);
  expect(result).toMatchObject({ fault: { code: 'STORAGE_UNAVAILABLE', message: 'records.db is gone' } });
  gone = undefined;
  expect(run('counts', tenantId)).toEqual({ queued: 0, running: 0 });
});

test('a damaged page fails only the call that needs it', () => {
  const broken = { ...stores, jobs: { counts: () => throwCorrupt() } } as unknown as RecordStores;
  const clock = { takeStep: () => 0, save: () => undefined };
  const damaged = new BatchTransactions({
    database,
    stores: broken,
    files: { check: () => undefined },
    clock,
  });
  const tenants = { store: 'tenants' as const, method: 'bySlug', args: ['default'] };
  for (let n = 0; n < 2; n++) {
    const [first, second] = damaged.run([call('counts', tenantId), tenants]);
    expect(first).toMatchObject({ fault: { code: 'STORAGE_UNAVAILABLE' } });
    expect(second).toMatchObject({ value: { slug: 'default' } });
  }
});

function throwCorrupt(): never {
  throw Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT', errcode: 11 });
}
