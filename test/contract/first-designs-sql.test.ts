/**
 * The SQL of the first designs runs as it is written there: the claim of design 001 on PostgreSQL, the statements of
 * design 002 on SQLite, and inserts with no other columns than theirs. What docs/SEEDS.md lists as departures is left
 * out. Rows that somebody inserted by hand are theirs: no sweep ends them.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { createRecordStores } from '../../src/stores/sqlite/record-stores.js';
import type { SqlDatabase, SqlValue } from '../../src/stores/sqlite/sql-database.js';
import { uuidV7 } from '../../src/uuid.js';
import { newDatabase } from '../support/postgres-database.js';

const design = (name: string) =>
  readFileSync(new URL(`../fixtures/designs/${name}.md`, import.meta.url), 'utf8');
const JOBS = design('001-jobs');
const PAIRS = design('002-pair-object');

/** The text between two markers, without them. */
function between(text: string, before: string, after: string): string {
  const from = text.indexOf(before) + before.length;
  return text.slice(from, text.indexOf(after, from));
}

/** The columns of a table in a design: all, and those that an insert must name. */
function columnsOf(text: string, table: string): { all: string[]; needed: string[] } {
  const lines = between(text, `CREATE TABLE ${table} (`, ');').split('\n');
  const columns = lines.flatMap((line) => /^ {2,4}([a-z_]+) [A-Z]/.exec(line)?.[1] ?? []);
  const isNeeded = (column: string) =>
    lines.some(
      (line) => line.includes(`${column} `) && line.includes('NOT NULL') && !line.includes('DEFAULT'),
    );
  return { all: columns, needed: columns.filter(isNeeded) };
}

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: await newDatabase() });
  await client.connect();
});
afterAll(() => client.end());

const insert = (table: string, row: Record<string, unknown>) => {
  const columns = Object.keys(row);
  const places = columns.map((_, n) => `$${n + 1}`);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')}) RETURNING *`;
  return client.query(sql, Object.values(row)).then(({ rows }) => rows[0]);
};

async function newAudit(): Promise<{ tenant_id: string; audit_id: string }> {
  const tenant = await insert('tenants', { slug: `t${uuidV7(Date.now())}`, name: 'T' });
  const audit = { tenant_id: tenant.id, url: 'https://a/', canonical_url: 'https://a/' };
  return { tenant_id: tenant.id, audit_id: (await insert('audits', audit)).id };
}

const claim = () =>
  client.query(between(JOBS, 'query = """', '"""').replace("'%s seconds'", "'300 seconds'"), ['worker 1']);

test('001: a job with only the columns that its design requires is claimed, ended and requeued', async () => {
  const { needed } = columnsOf(JOBS, 'audit_jobs');
  expect(needed).toEqual(['tenant_id', 'audit_id', 'idempotency_key', 'payload_json']);
  const audit = await newAudit();
  const row = await insert('audit_jobs', { ...audit, idempotency_key: 'any text', payload_json: '{}' });
  expect(row).toMatchObject({ kind: 'audit', status: 'queued', attempt: 0, max_attempts: 3 });
  const { rows } = await claim();
  expect(rows).toMatchObject([{ job_id: row.job_id, status: 'running', attempt: 1, locked_by: 'worker 1' }]);
  expect((await claim()).rows).toEqual([]);
  const set = (change: string) =>
    client.query(`UPDATE audit_jobs SET ${change} WHERE job_id = $1`, [row.job_id]);
  // An expired lease is claimed again; an end or a requeue may leave its lock.
  await set("locked_until = NOW() - INTERVAL '1 second'");
  expect((await claim()).rows).toMatchObject([{ attempt: 2, started_at: rows[0].started_at }]);
  await set("status = 'queued'");
  expect((await claim()).rows).toMatchObject([{ attempt: 3 }]);
  await set("status = 'done', finished_at = NOW()");
  expect((await claim()).rows).toEqual([]);
  const { rows: audits } = await client.query('SELECT status FROM audits WHERE id = $1', [audit.audit_id]);
  expect(audits).toEqual([{ status: 'done' }]);
});

test('001: events with the columns of the design are the next ones of their job', async () => {
  const { all, needed } = columnsOf(JOBS, 'audit_progress_events');
  expect(needed).toEqual(['audit_id', 'event_type']);
  const audit = await newAudit();
  const job = { ...audit, idempotency_key: 'of events', payload_json: '{}' };
  const { job_id } = await insert('audit_jobs', job);
  const { audit_id } = audit;
  const first = await insert('audit_progress_events', { audit_id, event_type: 'step_started' });
  expect(first).toMatchObject({ job_id, seq: '1' });
  const whole = { audit_id, job_id, event_type: 'metric', message: 'm', data_json: '{}', progress_pct: 50 };
  const second = await insert('audit_progress_events', { ...whole, created_at: new Date() });
  expect(second).toMatchObject({ job_id, seq: '2', progress_pct: 50 });
  expect(Object.keys(second)).toEqual(expect.arrayContaining(all));
  const listed = 'SELECT event_type FROM audit_progress_events WHERE audit_id = $1 ORDER BY created_at';
  expect((await client.query(listed, [audit_id])).rows).toHaveLength(2);
});

test('001: every column of the jobs can be given', async () => {
  const { all } = columnsOf(JOBS, 'audit_jobs');
  const now = new Date();
  const row = {
    ...{ job_id: uuidV7(Date.now()), ...(await newAudit()), status: 'done', attempt: 1, max_attempts: 5 },
    ...{ queued_at: now, started_at: now, finished_at: now, locked_until: now, locked_by: 'w' },
    ...{ idempotency_key: 'whole', payload_json: '{}', last_error: 'none' },
  };
  expect(Object.keys(row).sort()).toEqual([...all].sort());
  expect(await insert('audit_jobs', row)).toMatchObject({ status: 'done', attempt: 1, last_error: 'none' });
});

const ID = `${'a'.repeat(40)}:00000000-0000-4000-8000-000000000000`;

/** The statements of the methods, in the design's order. */
const [INSERT, SAVE_PROBE, SAVE_RESULT, FAIL, SELECT, SELECT_HISTORY] = [
  ...between(PAIRS, '## DO Methods', '## Class Structure').matchAll(/\.(?:exec|prepare)\(`([^`]+)`/g),
].map(([, sql = '']) => sql);
const DELETE_OLD = `DELETE FROM${between(PAIRS, 'DELETE FROM', '```')}`;

let database: SqlDatabase & { close(): void };
let stores: ReturnType<typeof createRecordStores>;
beforeEach(() => {
  database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  stores = createRecordStores(database, Date.now);
});
const run = (sql: string | undefined, params: SqlValue[]) => database.run(sql ?? '', params);
const all = (sql: string | undefined, params: SqlValue[]) => database.all(sql ?? '', params);

test('002: a comparison is inserted, probed, ended and listed', () => {
  run(INSERT, [ID, 7, 'https://l/', 'https://r/']);
  const envelope = JSON.stringify({ routing: { final_url: 'https://l/' } });
  for (const _ of [1, 2]) run(SAVE_PROBE, [`${ID}:left`, ID, 8, 'left', 'https://l/', envelope]);
  expect(all('SELECT id, side FROM probes', [])).toEqual([{ id: `${ID}:left`, side: 'left' }]);
  run(SAVE_RESULT, ['{"diff":{}}', ID]);
  expect(all(SELECT, [ID])).toEqual([{ status: 'completed', result_json: '{"diff":{}}', error: null }]);
  expect(all(SELECT_HISTORY, [10])).toMatchObject([{ id: ID, status: 'completed' }]);
  // Our own store finds it as one of the default tenant and of the pair in its id.
  expect(stores.comparisons.getComparison({ tenantId: 'default', comparisonId: ID })).toMatchObject({
    pairKey: 'a'.repeat(40),
    leftUrl: 'https://l/',
    explanation: { state: 'off' },
  });
});

test('002: a comparison fails with a text, and the oldest are deleted', () => {
  run(INSERT, [ID, 7, 'https://l/', 'https://r/']);
  run(FAIL, ['it failed', ID]);
  expect(all(SELECT, [ID])).toEqual([{ status: 'failed', result_json: null, error: 'it failed' }]);
  run(INSERT, [`${ID}2`, 8, 'https://l/', 'https://r/']);
  run(DELETE_OLD, [0]);
  expect(all('SELECT id FROM comparisons', [])).toEqual([{ id: `${ID}2` }]);
});

test('002: a row that was inserted by hand is left alone', () => {
  run(INSERT, [ID, 7, 'https://l/', 'https://r/']);
  const far = createRecordStores(database, () => Date.now() + 10 * 365 * 86_400_000);
  far.oldComparisons.prune({ olderThanMs: 1, limit: 10 });
  expect(all(SELECT, [ID])).toMatchObject([{ status: 'running' }]);
});
