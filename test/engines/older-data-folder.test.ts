/**
 * A data folder written by the first versions of the tables is migrated with every row, and works. A folder that a
 * newer version wrote is refused with its own code and left byte for byte unchanged.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRecordsHost } from '../../src/runtimes/node/records/records-host.js';
import { openStoreHost } from '../../src/runtimes/node/sqlite/store-host.js';
import { tryBuiltServer } from '../support/built-server.js';
import { RECORDS_WORKER_URL, type ServedForTest, STORE_WORKER_URL, serveForTest } from '../support/serve.js';
import { sqliteTables } from '../support/sqlite-process.js';

const FIXTURES = new URL('../fixtures/data-v1/', import.meta.url);
const PAIR = '0123456789012345678901234567890123456789';
const AUDIT = '33333333-3333-7333-8333-333333333333';
const QUEUED = '44444444-4444-7444-8444-444444444444';
const SUITE = '77777777-7777-7777-8777-777777777777';
const COMPARISON = `${PAIR}:88888888-8888-7888-8888-888888888888`;

type FileName = 'records' | 'sonde';
type Rows = Record<string, readonly unknown[]>;

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'sonde-older-')), 'data');
  mkdirSync(folder, { mode: 0o700 });
  for (const name of ['records', 'sonde'] as const) {
    const sql = readFileSync(new URL(`${name}.sql`, FIXTURES), 'utf8');
    sqliteTables(pathOf(name), `PRAGMA journal_mode = WAL;\n${sql}`);
  }
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const pathOf = (name: FileName) => join(folder, `${name}.db`);
const openRecords = () => openRecordsHost({ path: pathOf('records'), workerUrl: RECORDS_WORKER_URL });
const openStreams = () => openStoreHost({ path: pathOf('sonde'), workerUrl: STORE_WORKER_URL });

function rowsIn(name: FileName): { rows: Rows; versions: Rows } {
  const all = Object.entries(sqliteTables(pathOf(name))).filter(
    ([table]) => table !== 'log_layout' && table !== 'commit_count',
  );
  const isVersion = ([table]: readonly [string, unknown]) => table.endsWith('_schema');
  return {
    rows: Object.fromEntries(all.filter((one) => !isVersion(one))),
    versions: Object.fromEntries(all.filter(isVersion)),
  };
}

/** Columns added since, empty in older rows. */
const ADDED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  streams: ['life', 'appended_at', 'outcome', 'expiry_check_at'],
  chunks: ['arrived_at'],
  sealed_chunks: ['owner_id'],
  stream_forks: ['fork_owner_id', 'announced_at'],
  proxy_pumps: ['owner_id'],
};

/** Keys of older versions had one attempt, and their outcomes are final. */
const FIRST_ATTEMPT = { digest: null, response: null, attempt: 1, repeatable: 0 };

function withColumns(rows: Rows, added: typeof ADDED_COLUMNS): Rows {
  const widened = Object.entries(rows).map(([table, found]) => {
    const empty = Object.fromEntries((added[table] ?? []).map((column) => [column, null]));
    return [table, found.map((row) => ({ ...(row as object), ...empty }))];
  });
  return Object.fromEntries(widened);
}

/** Rows that the migration derives from the existing ones. */
const [TENANT, OTHER] = ['11111111-1111-7111-8111-111111111111', '22222222-2222-7222-8222-222222222222'];
const PAIRS = [
  {
    ...{ tenant_id: TENANT, pair_key: PAIR, comparisons: 2 },
    ...{ last_ts: 1_700_000_000_000, last_id: COMPARISON, own_ts: 1_700_000_000_000, own_id: COMPARISON },
  },
];
const RECORD_COUNTS = [
  { tenant_id: TENANT, name: 'idempotency_keys', n: 1 },
  { tenant_id: TENANT, name: 'queued', n: 1 },
  { tenant_id: TENANT, name: 'running', n: 0 },
  { tenant_id: OTHER, name: 'queued', n: 0 },
  { tenant_id: OTHER, name: 'running', n: 0 },
];

const STREAM_TOTALS = [
  { tenant: '', open: 0, bytes: 0 },
  { tenant: 'default', open: 4, bytes: 5021 },
];

/** Every stream of the fixture has a path. */
function inCollection(row: unknown): object {
  const [kind, tenant] = String((row as { stream_id: unknown }).stream_id).split('/');
  return { ...(row as object), collection: `${kind}/${tenant}` };
}

test('the migration keeps every row of every table and adds the missing tables', async () => {
  const before = { records: rowsIn('records'), sonde: rowsIn('sonde') };
  for (const { rows } of Object.values(before)) {
    for (const [table, found] of Object.entries(rows))
      expect([table, found.length > 0]).toEqual([table, true]);
  }
  // Several processes may open an older folder at once.
  const hosts = await Promise.all([openRecords(), openRecords(), openRecords(), openRecords()]);
  for (const host of hosts) await host.close();
  const streams = await openStreams();
  expect(streams.damaged).toEqual([]);
  await streams.close();
  const records = rowsIn('records');
  const added = { revoked_sessions: [], pair_baselines: [], pairs: PAIRS, record_counts: RECORD_COUNTS };
  const { audit_jobs: jobs = [], ...others } = withColumns(before.records.rows, {
    comparisons: ['suite_id'],
  });
  expect(records.rows).toEqual({
    ...others,
    ...added,
    audit_jobs: jobs.map((row) => ({ ...(row as object), ran_ms: 0 })),
    clock_state: [],
  });
  expect(records.versions).toMatchObject({
    record_schema: [{ version: 4 }],
    comparison_schema: [{ version: 4 }],
  });
  const sonde = rowsIn('sonde');
  const taken = withColumns({ ...before.sonde.rows, long_data: [] }, ADDED_COLUMNS);
  expect(sonde.rows).toEqual({
    ...taken,
    streams: taken['streams']?.map(inCollection),
    proxy_creates: taken['proxy_creates']?.map((row) => Object.assign({}, row, FIRST_ATTEMPT)),
    proxy_attempts: [],
    stream_totals: STREAM_TOTALS,
    loose_data: [],
    loose_rows: [],
    clock_state: [],
  });
  expect(sonde.versions).toMatchObject({ stream_schema: [{ version: 6 }], proxy_schema: [{ version: 3 }] });
});

test('a server works with the existing data and continues it', async () => {
  const server: ServedForTest = await serveForTest({ dataDir: folder });
  const get = async (path: string) => (await fetch(server.url + path)).json();
  const read = async (name: string) => (await fetch(`${server.url}/v1/stream/${name}`)).text();
  try {
    expect(await get(`/api/compare/${COMPARISON}`)).toMatchObject({ status: 'completed' });
    expect(await get(`/api/suites/${SUITE}`)).toMatchObject({ status: 'completed', paths: 1, done: 1 });
    expect(await get(`/api/audits/${AUDIT}`)).toMatchObject({ status: 'done', score: 87 });
    // The older version queued it, and its URL is invalid.
    await vi.waitUntil(async () => (await get(`/api/jobs/${QUEUED}`)).status === 'failed', 10_000);
    expect([await read('notes'), await read('fork'), await read('sealed')]).toEqual([
      'notes',
      'notesfork',
      'sealed',
    ]);
    expect(await read('long')).toBe('1'.repeat(5000));
    const append = (headers: Record<string, string> = {}) =>
      fetch(`${server.url}/v1/stream/notes`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain', 'Producer-Id': 'writer', 'Producer-Epoch': '1', ...headers },
        body: '2'.repeat(5000),
      });
    // Repeats the producer's last write of before, then sends its next.
    expect((await append({ 'Producer-Seq': '7' })).status).toBe(204);
    expect((await append({ 'Producer-Seq': '8' })).status).toBe(200);
    expect(await read('notes')).toBe(`notes${'2'.repeat(5000)}`);
    expect(await read('fork')).toBe('notesfork');
  } finally {
    await server.stop();
  }
});

test.each([
  ['records', 'record', 5, 4],
  ['records', 'comparison', 5, 4],
  ['records', 'suite', 2, 1],
  ['sonde', 'stream', 7, 6],
  ['sonde', 'proxy', 4, 3],
  ['sonde', 'subscription', 1, 2],
] as const)('%s.db with %s schema %i is refused and left untouched', async (name, schema, found, known) => {
  await (await openRecords()).close();
  await (await openStreams()).close();
  sqliteTables(
    pathOf(name),
    `DROP TABLE ${schema}_schema; CREATE TABLE ${schema}_schema (version INTEGER NOT NULL);
    INSERT INTO ${schema}_schema VALUES (${found})`,
  );
  const before = readFileSync(pathOf(name));
  const files = readdirSync(folder).sort();
  expect(files).toEqual(['records.db', 'records.db-mark', 'sonde.db', 'sonde.db-count', 'sonde.db-mark']);
  const opening = name === 'records' ? openRecords() : openStreams();
  await expect(opening).rejects.toMatchObject({
    code: 'DATA_VERSION_UNKNOWN',
    message: expect.stringContaining(`${schema} schema ${found}, but this version supports ${known}`),
  });
  expect(readFileSync(pathOf(name)).equals(before)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(files);
});

test('the program names the file it does not know, and stops', async () => {
  sqliteTables(pathOf('records'), 'UPDATE record_schema SET version = 99');
  const started = await tryBuiltServer({ folder });
  if ('url' in started) await started.stop();
  expect(started).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('DATA_VERSION_UNKNOWN') });
  expect(started).toMatchObject({ stderr: expect.stringMatching(/records\.db.*record schema 99/) });
});
