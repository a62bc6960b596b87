/** The PostgreSQL schema: migrations, indexes, constraints and stored counts. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uniqueKey } from '../../src/jobs/index.js';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { readMigrations } from '../../src/runtimes/node/postgres/read-migrations.js';
import { applyMigrations } from '../../src/stores/postgres/apply-migrations.js';
import { PostgresIdempotencyStore } from '../../src/stores/postgres/postgres-idempotency-store.js';
import { PostgresJobStore } from '../../src/stores/postgres/postgres-job-store.js';
import { PostgresTenantStore } from '../../src/stores/postgres/postgres-tenant-store.js';
import { CLAIM_JOBS } from '../../src/stores/postgres/sql/claim-jobs.js';
import { RENEW_JOBS } from '../../src/stores/postgres/sql/renew-jobs.js';
import { uuidV7 } from '../../src/uuid.js';
import { COMPARE_RUNS } from '../../src/workflows/run-kinds.js';
import { keepingLog } from '../support/keeping-log.js';
import { listenTcp } from '../support/listen.js';
import { MIGRATIONS_URL } from '../support/postgres-cluster.js';
import { newDatabase, runSql } from '../support/postgres-database.js';

let url: string;
let client: pg.Client;
beforeAll(async () => {
  url = await newDatabase();
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterAll(() => client.end());

test('S1: the migrations apply once, even from many concurrent processes', async () => {
  const empty = await newDatabase('template0');
  const migrations = await readMigrations(MIGRATIONS_URL);
  const databases = Array.from({ length: 6 }, () => openPostgres({ url: empty, log: keepingLog() }));
  const applied = await Promise.all(databases.map((database) => applyMigrations(database, migrations)));
  expect(applied.flat().sort()).toEqual(migrations.map(({ name }) => name));
  const [first] = databases;
  if (!first) throw new Error('no database');
  expect(await applyMigrations(first, migrations)).toEqual([]);
  const edited = migrations.map(({ name, sql }) => ({ name, sql: `${sql}\n-- edited` }));
  await expect(applyMigrations(first, edited)).rejects.toMatchObject({ code: 'CONFIG_INVALID_VALUE' });
  await expect(applyMigrations(first, [])).rejects.toMatchObject({ code: 'CONFIG_INVALID_VALUE' });
  for (const database of databases) await database.close();
});

test('migrations apply in the order of their names, and a later one names its oldest compatible version', async () => {
  const database = openPostgres({ url: await newDatabase('template0'), log: keepingLog() });
  const known = [
    { name: '0002_b', sql: 'ALTER TABLE a ADD COLUMN b int' },
    { name: '0001_a', sql: 'CREATE TABLE a (a int)' },
  ];
  const later = (since: string) => ({ name: `0003_${since}`, sql: `-- compatible since ${since}\nSELECT 1` });
  expect(await applyMigrations(database, known)).toEqual(['0001_a', '0002_b']);
  expect(await applyMigrations(database, [...known, later('0001'), later('0002')])).toHaveLength(2);
  expect(await applyMigrations(database, known)).toEqual([]);
  await applyMigrations(database, [...known, later('0003')]);
  await expect(applyMigrations(database, known)).rejects.toThrow(
    'the database has the migrations 0003_0003, which this version of Sonde does not know',
  );
  await database.close();
});

test('a database from before the first release is refused and left unchanged', async () => {
  const database = openPostgres({ url: await newDatabase('template0'), log: keepingLog() });
  const earlier = ['0001_records', '0002_audit_parts'].map((name) => ({
    name,
    sql: `CREATE TABLE x${name} ()`,
  }));
  await applyMigrations(database, earlier);
  const tables = { name: '', text: "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1" };
  const before = await database.query(tables, []);
  await expect(applyMigrations(database, await readMigrations(MIGRATIONS_URL))).rejects.toMatchObject({
    code: 'CONFIG_INVALID_VALUE',
    message: expect.stringMatching(/0001_records, 0002_audit_parts.*name an empty database$/),
  });
  expect(await database.query(tables, [])).toEqual(before);
  await database.close();
});

test.each([
  ['in the middle of a line', 'SELECT 1 -- compatible since 0001'],
  ['with more digits', '-- compatible since 00012\nSELECT 1'],
])('a declaration of compatibility %s does not count', async (_name, sql) => {
  const database = openPostgres({ url: await newDatabase('template0'), log: keepingLog() });
  const known = [{ name: '0001_a', sql: 'SELECT 1' }];
  await applyMigrations(database, [...known, { name: '0002_b', sql }]);
  await expect(applyMigrations(database, known)).rejects.toThrow('the database has the migrations 0002_b,');
  await database.close();
});

test('a migration has no time limit, also for its lock', async () => {
  const database = openPostgres({ url, log: keepingLog() });
  const limits = `current_setting('statement_timeout') || ' ' || current_setting('lock_timeout')`;
  const sql = `-- compatible since 0001\nDO $$ BEGIN ASSERT ${limits} = '0 0', ${limits}; END $$`;
  const migrations = await readMigrations(MIGRATIONS_URL);
  expect(await applyMigrations(database, [...migrations, { name: '9999_slow', sql }])).toEqual(['9999_slow']);
  await database.close();
});

test('adding a column does not break a statement that was prepared before', async () => {
  const database = openPostgres({ url, log: keepingLog(), connections: 1 });
  await client.query('CREATE TABLE widened (a int); INSERT INTO widened VALUES (1)');
  const all = { name: 'select_widened', text: 'SELECT * FROM widened' };
  expect(await database.query(all, [])).toEqual([{ a: 1 }]);
  await client.query('ALTER TABLE widened ADD COLUMN b int DEFAULT 2');
  expect(await database.query(all, [])).toEqual([{ a: 1, b: 2 }]);
  await database.close();
});

test('a pooler that rejects session settings is reported at once', async () => {
  const refusal = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0';
  const message = Buffer.from(`E\0\0\0${String.fromCharCode(refusal.length + 4)}${refusal}`, 'latin1');
  let tries = 0;
  const pooler = await listenTcp((socket) => {
    tries++;
    socket.once('data', () => socket.end(message));
  });
  const database = openPostgres({ url: `postgres://x@127.0.0.1:${pooler.port}/x`, log: keepingLog() });
  await expect(database.checkSession()).rejects.toMatchObject({
    code: 'CONFIG_INVALID_VALUE',
    message: expect.stringContaining('a connection pooler drops the session settings'),
  });
  expect(tries).toBe(1);
  await database.close();
  await pooler.close();
});

test('S1, S8: no index and no check depends on the current time', async () => {
  const { rows } = await client.query(
    `SELECT indexdef AS text FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c'`,
  );
  expect(rows.length).toBeGreaterThan(10);
  for (const { text } of rows) expect(text).not.toMatch(/now\(\)|CURRENT_TIMESTAMP/i);
});

test('S2: among 50,000 ended jobs a claim reads the index of ready ones and scans no table', async () => {
  const tenant = uuidV7(Date.now());
  await client.query("INSERT INTO tenants (id, slug, name) VALUES ($1, 'many', 'Many')", [tenant]);
  await client.query(
    `INSERT INTO audit_jobs (tenant_id, kind, status, idempotency_key, payload_json, started_at, finished_at, run_at)
    SELECT $1, 'hello', CASE WHEN n <= 50000 THEN 'done' ELSE 'queued' END,
      rpad('0000000000000000' || n, 64, '0'), '{}',
      CASE WHEN n <= 50000 THEN now() END, CASE WHEN n <= 50000 THEN now() END, now() - interval '1 second'
    FROM generate_series(1, 51000) n`,
    [tenant],
  );
  await client.query('ANALYZE audit_jobs');
  const params = [
    20,
    ['hello'],
    1000,
    '00000000-0000-0000-0000-000000000000',
    60_000,
    'w',
    false,
    '{}',
    20,
    5,
    Date.now(),
  ];
  await client.query('BEGIN');
  const { rows } = await client.query(`EXPLAIN (ANALYZE, COSTS OFF) ${CLAIM_JOBS.text}`, params);
  await client.query('ROLLBACK');
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('audit_jobs_queue');
  expect(plan).not.toMatch(/Seq Scan on audit_jobs/);
});

test('S7: the length of a lease is a parameter', async () => {
  const database = openPostgres({ url, log: keepingLog() });
  const store = new PostgresJobStore(database);
  const tenantId = uuidV7(Date.now());
  await runSql(url, "INSERT INTO tenants (id, slug, name) VALUES ($1, 'lease', 'Lease')", [tenantId]);
  const job = { jobId: uuidV7(Date.now()), tenantId, kind: 'compare' as const, payload: {}, maxAttempts: 3 };
  await store.enqueue([{ ...job, idempotencyKey: uniqueKey() }]);
  const request = { workerId: 'w', kinds: ['compare' as const], limit: 1, runningMax: 10, after: null };
  expect((await store.claim({ ...request, leaseMs: 123_000 })).jobs).toHaveLength(1);
  const held = await store.get(tenantId, job.jobId);
  expect((held?.lockedUntil ?? 0) - (held?.startedAt ?? 0)).toBe(123_000);
  await database.close();
});

test('only an audit job has an audit row', async () => {
  const insert = (kind: string, audit: string | null) =>
    client.query(
      `INSERT INTO audit_jobs (tenant_id, audit_id, kind, idempotency_key, payload_json)
      SELECT id, $1::uuid, $2, $3, '{}' FROM tenants LIMIT 1`,
      [audit, kind, uniqueKey()],
    );
  await expect(insert('audit', null)).rejects.toThrow(/audit_only_of_audits/);
  await expect(insert('hello', uuidV7(Date.now()))).rejects.toThrow(/audit_only_of_audits|audit_id_fkey/);
});

test('a job needs a tenant, and a tenant with jobs cannot be deleted', async () => {
  const insert =
    "INSERT INTO audit_jobs (tenant_id, kind, idempotency_key, payload_json) VALUES ($1, $2, $3, '{}')";
  const tenant = uuidV7(Date.now());
  await expect(client.query(insert, [tenant, 'hello', uniqueKey()])).rejects.toMatchObject({ code: '23503' });
  await client.query("INSERT INTO tenants (id, slug, name) VALUES ($1, 'stays', 'Stays')", [tenant]);
  await client.query(insert, [tenant, 'hello', uniqueKey()]);
  const gone = 'DELETE FROM tenants WHERE id = $1';
  await expect(client.query(gone, [tenant])).rejects.toMatchObject({ code: '23503' });
  await client.query('DELETE FROM audit_jobs WHERE tenant_id = $1', [tenant]);
  await client.query(gone, [tenant]);
});

test('a tenant cannot be deleted while one of its jobs is being created', async () => {
  const tenant = uuidV7(Date.now());
  await client.query("INSERT INTO tenants (id, slug, name) VALUES ($1, 'going', 'Going')", [tenant]);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await client.query('BEGIN');
  await client.query(
    "INSERT INTO audit_jobs (tenant_id, kind, idempotency_key, payload_json) VALUES ($1, 'hello', $2, '{}')",
    [tenant, uniqueKey()],
  );
  const going = other.query('DELETE FROM tenants WHERE id = $1', [tenant]);
  const refused = expect(going).rejects.toMatchObject({ code: '23503' });
  await client.query('COMMIT');
  await refused;
  await other.end();
});

test('a heartbeat touches no index: it is a heap-only update', async () => {
  const { rows: tenants } = await client.query('SELECT id FROM tenants LIMIT 1');
  const tenant = tenants[0].id;
  const { rows: jobs } = await client.query(
    `INSERT INTO audit_jobs (
      tenant_id, kind, status, idempotency_key, payload_json, lease_token, started_at, locked_until, locked_by
    ) VALUES ($1, 'hello', 'running', $2, '{}', 1, now(), now(), 'w') RETURNING job_id`,
    [tenant, uniqueKey()],
  );
  await client.query('BEGIN');
  const before = await updatesOfJobs();
  const renewals = JSON.stringify([{ id: jobs[0].job_id, token: 1, seq: 1 }]);
  await client.query(RENEW_JOBS.text, [renewals, 60_000, '[]', Date.now()]);
  const after = await updatesOfJobs();
  await client.query('ROLLBACK');
  expect([after.updated - before.updated, after.hot - before.hot]).toEqual([1, 1]);
});

/** Counts the updates that this connection has not reported yet. */
async function updatesOfJobs(): Promise<{ updated: number; hot: number }> {
  const { rows } = await client.query(
    `SELECT pg_stat_get_xact_tuples_updated(oid)::int AS updated,
      pg_stat_get_xact_tuples_hot_updated(oid)::int AS hot FROM pg_class WHERE relname = 'audit_jobs'`,
  );
  return rows[0];
}

test('rows end with their jobs by the statements of the run kinds', async () => {
  const { rows } = await client.query("SELECT prosrc FROM pg_proc WHERE proname = 'end_row_with_its_job'");
  const statements = COMPARE_RUNS.ends.map((one) => `  ${one};\n`).join('');
  expect(rows).toEqual([{ prosrc: `\nBEGIN\n${statements}  RETURN NULL;\nEND\n` }]);
});

test('stored counts match the rows, whatever happened to jobs and keys', async () => {
  const database = openPostgres({ url: await newDatabase(), log: keepingLog() });
  const jobs = new PostgresJobStore(database);
  const keys = new PostgresIdempotencyStore(database);
  const tenantId = uuidV7(Date.now());
  await new PostgresTenantStore(database).create({ id: tenantId, slug: 'counted', name: 'C', quotas: {} });
  const newJob = () => {
    const job = { jobId: uuidV7(Date.now()), tenantId, kind: 'hello' as const, payload: {}, maxAttempts: 3 };
    return { ...job, idempotencyKey: uniqueKey() };
  };
  const queued = Array.from({ length: 150 }, newJob);
  await jobs.enqueue(queued);
  await jobs.enqueue([...queued.slice(0, 2), newJob()]);
  const request = { workerId: 'w', kinds: ['hello' as const], leaseMs: 60_000, runningMax: 100, after: null };
  const { jobs: held } = await jobs.claim({ ...request, limit: 6 });
  const outcomes = ['done', 'failed', 'again', 'release'] as const;
  await jobs.settle(outcomes.map((outcome, n) => settlementOf(held[n], outcome)));
  await jobs.cancel(tenantId, queued[149]?.jobId ?? '');
  await jobs.retry(tenantId, held[1]?.jobId ?? '');
  const key = { tenantId, fingerprint: '0'.repeat(64), inFlightMs: 1_000, keysMax: 2 };
  const begin = (name: string, keepMs: number) =>
    keys.begin({ ...key, key: name, owner: uuidV7(1), newId: uuidV7(1), keepMs });
  expect(await begin('a', 0)).toMatchObject({ kind: 'begun' });
  expect(await begin('b', 60_000)).toMatchObject({ kind: 'begun' });
  expect(await begin('c', 60_000)).toEqual({ kind: 'full' });
  expect(await keys.prune(10)).toBe(1);
  expect(await begin('c', 60_000)).toMatchObject({ kind: 'begun' });
  // 151 were queued, of which 1 is done, 1 canceled, 2 running and 147 queued.
  expect(await jobs.counts(tenantId)).toEqual({ queued: 147, running: 2 });
  expect(await jobs.prune({ olderThanMs: -1_000, limit: 50 })).toBeGreaterThan(0);
  expect(await jobs.counts(tenantId)).toEqual({ queued: 147, running: 2 });
  await database.close();
});

function settlementOf(
  job: { readonly jobId: string; readonly leaseToken: number } | undefined,
  outcome: 'done' | 'failed' | 'again' | 'release',
) {
  if (!job) throw new Error('not claimed');
  return { jobId: job.jobId, leaseToken: job.leaseToken, outcome, events: [], hadSteps: false };
}
