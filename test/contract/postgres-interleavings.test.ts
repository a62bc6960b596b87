/**
 * What two connections do concurrently, and what a broken one leaves behind. Every interleaving is forced: a lock or
 * the wire holds one side until the other has done its part.
 */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { uniqueKey } from '../../src/jobs/index.js';
import { type OpenPostgres, openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { PostgresIdempotencyStore } from '../../src/stores/postgres/postgres-idempotency-store.js';
import { PostgresJobStore } from '../../src/stores/postgres/postgres-job-store.js';
import { PostgresTenantStore } from '../../src/stores/postgres/postgres-tenant-store.js';
import { PostgresWebhookStore } from '../../src/stores/postgres/postgres-webhook-store.js';
import { postgresComparisonStore, postgresSuiteStore } from '../../src/stores/postgres/run-work.js';
import { uuidV7 } from '../../src/uuid.js';
import { keepingLog } from '../support/keeping-log.js';
import { type PgProxy, startPgProxy } from '../support/pg-proxy.js';
import { newDatabase, runSql } from '../support/postgres-database.js';

let url: string;
let tenantId: string;
let proxy: PgProxy;
let database: OpenPostgres;
let jobs: PostgresJobStore;
/** A second connection, with which a test holds what the first one needs. */
let other: pg.Client;

beforeAll(async () => {
  url = await newDatabase();
});

beforeEach(async () => {
  proxy = await startPgProxy(url);
  database = openPostgres({ url: proxy.url, log: keepingLog() });
  jobs = new PostgresJobStore(database);
  other = new pg.Client({ connectionString: url });
  other.on('error', () => undefined);
  await other.connect();
  tenantId = uuidV7(Date.now());
  const slug = `t-${tenantId}`;
  await new PostgresTenantStore(database).create({ id: tenantId, slug, name: slug, quotas: {} });
});

afterEach(async () => {
  await runSql(url, "UPDATE audit_jobs SET run_at = now() + interval '1 hour' WHERE status = 'queued'");
  await other.end();
  await database.close();
  await proxy.close();
});

/** The whole statement as it is sent. */
const COMMIT = 'COMMIT\0';
const REQUEST = { workerId: 'w', kinds: ['hello' as const], leaseMs: 60_000, runningMax: 1_000, after: null };
const REAP = { limit: 10, backoffFirstMs: 0, backoffMaxMs: 0, fractions: Array<number>(10).fill(0) };

async function enqueue(count = 1, idempotencyKey?: string): Promise<string[]> {
  const made = await jobs.enqueue(
    Array.from({ length: count }, () => ({
      jobId: uuidV7(Date.now()),
      tenantId,
      kind: 'hello' as const,
      payload: {},
      maxAttempts: 3,
      idempotencyKey: idempotencyKey ?? uniqueKey(),
    })),
  );
  return made.map(({ jobId }) => jobId);
}

const claim = async (limit = 1, leaseMs = 60_000) => (await jobs.claim({ ...REQUEST, limit, leaseMs })).jobs;

const end = (job: { jobId: string; leaseToken: number }) => ({
  jobId: job.jobId,
  leaseToken: job.leaseToken,
  outcome: 'done' as const,
  events: [],
  hadSteps: false,
});

/** Resolves once this many of the program's connections wait for a lock. */
async function waiting(count: number): Promise<void> {
  for (const until = Date.now() + 10_000; ; ) {
    const [row] = await runSql(
      url,
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if (Number(row?.['n']) >= count) return;
    if (Date.now() > until) throw new Error(`${row?.['n']} of ${count} connections wait for a lock`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function deadlocks(): Promise<number> {
  await runSql(url, 'SELECT pg_stat_clear_snapshot()');
  const [row] = await runSql(
    url,
    'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row?.['n']);
}

/**
 * A role whose statements pause, with their snapshot taken, at every row of the jobs table while `other` holds the
 * lock.
 */
const PAUSING = `
CREATE FUNCTION pause() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN true; END $$;
ALTER TABLE audit_jobs ENABLE ROW LEVEL SECURITY;
CREATE POLICY pausing ON audit_jobs USING (pause()) WITH CHECK (true)`;

test('a cancel between the snapshot and the lock of the reaper ends the job as canceled', async () => {
  const role = `pausing_${crypto.randomUUID().replaceAll('-', '')}`;
  await runSql(url, PAUSING);
  await runSql(url, `CREATE ROLE ${role} LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
  const paused = openPostgres({ url: url.replace('user=postgres', `user=${role}`), log: keepingLog() });
  try {
    const [jobId = ''] = await enqueue();
    await claim(1, 0);
    await other.query('SELECT pg_advisory_lock(42)');
    const reaping = new PostgresJobStore(paused).reap(REAP);
    await waiting(1);
    expect(await jobs.cancel(tenantId, jobId)).toMatchObject({ kind: 'changed' });
    await other.query('SELECT pg_advisory_unlock(42)');
    expect(await reaping).toMatchObject([{ jobId, status: 'canceled' }]);
  } finally {
    await paused.close();
    await runSql(url, 'DROP POLICY pausing ON audit_jobs; ALTER TABLE audit_jobs DISABLE ROW LEVEL SECURITY');
    await runSql(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test('a job ends while a webhook of its tenant is being deleted', async () => {
  const webhooks = new PostgresWebhookStore(database);
  const webhookId = uuidV7(Date.now());
  const hook = {
    webhookId,
    tenantId,
    url: 'https://example.com/',
    events: ['hello.done' as const],
    keyId: 'k',
  };
  await webhooks.create(hook, 10);
  await enqueue();
  const [held] = await claim();
  if (!held) throw new Error('nothing was claimed');
  await other.query('BEGIN');
  await other.query('DELETE FROM webhooks WHERE webhook_id = $1', [webhookId]);
  const settling = jobs.settle([end(held)]);
  await waiting(1);
  await other.query('COMMIT');
  expect(await settling).toEqual([true]);
  expect(await jobs.get(tenantId, held.jobId)).toMatchObject({ status: 'done' });
});

test('renewing and settling the same jobs in opposite order does not deadlock', async () => {
  await enqueue(3);
  const held = [...(await claim(3))].sort((a, b) => (a.jobId < b.jobId ? -1 : 1));
  const before = await deadlocks();
  // Both have to wait for the job in the middle while they hold the others.
  await other.query('BEGIN');
  await other.query('SELECT FROM audit_jobs WHERE job_id = $1 FOR UPDATE', [held[1]?.jobId]);
  const settling = jobs.settle(held.map(end));
  await waiting(1);
  const renewals = [...held].reverse().map(({ jobId, leaseToken }) => ({ jobId, leaseToken, events: [] }));
  const renewing = jobs.renew(renewals, 60_000);
  await waiting(2);
  await other.query('COMMIT');
  expect(await settling).toEqual([true, true, true]);
  expect(await renewing).toEqual(['lost', 'lost', 'lost']);
  expect(await deadlocks()).toBe(before);
});

test('a retry that meets the same work being queued names that job', async () => {
  const key = uuidV7(Date.now()).replaceAll('-', '').padEnd(64, 'a');
  const [jobId = ''] = await enqueue(1, key);
  const [held] = await claim();
  await jobs.settle([{ ...end(held ?? { jobId, leaseToken: 1 }), outcome: 'failed', error: 'x' }]);
  const twin = uuidV7(Date.now());
  await other.query('BEGIN');
  await other.query(
    `INSERT INTO audit_jobs (job_id, tenant_id, kind, idempotency_key, payload_json)
    VALUES ($1, $2, 'hello', $3, '{}')`,
    [twin, tenantId, key],
  );
  const retrying = jobs.retry(tenantId, jobId);
  await waiting(1);
  await other.query('COMMIT');
  expect(await retrying).toEqual({ kind: 'twin', jobId: twin });
});

test('a retry whose COMMIT got no response is a success', async () => {
  const [jobId = ''] = await enqueue();
  const [held] = await claim();
  await jobs.settle([{ ...end(held ?? { jobId, leaseToken: 1 }), outcome: 'failed', error: 'x' }]);
  proxy.loseResponseTo(COMMIT);
  expect(await jobs.retry(tenantId, jobId)).toMatchObject({ kind: 'changed', job: { status: 'queued' } });
  expect(proxy.lost()).toBe(1);
});

test('a webhook whose deletion got no response was deleted', async () => {
  const webhooks = new PostgresWebhookStore(database);
  const webhookId = uuidV7(Date.now());
  const hook = {
    webhookId,
    tenantId,
    url: 'https://example.com/',
    events: ['hello.done' as const],
    keyId: 'k',
  };
  proxy.loseResponseTo(COMMIT);
  expect(await webhooks.create(hook, 10)).toBe('created');
  proxy.loseResponseTo(COMMIT);
  expect(await webhooks.remove(tenantId, webhookId)).toBe(true);
  expect(await webhooks.remove(tenantId, webhookId)).toBe(false);
  expect(proxy.lost()).toBe(2);
});

test('a change that was refused stays refused if its COMMIT got no response', async () => {
  await enqueue();
  const [held] = await claim();
  if (!held) throw new Error('nothing was claimed');
  await jobs.settle([end(held)]);
  proxy.loseResponseTo(COMMIT);
  expect(await jobs.retry(tenantId, held.jobId)).toMatchObject({ kind: 'refused', job: { status: 'done' } });
  const hook = { webhookId: uuidV7(Date.now()), tenantId, url: 'https://example.com/', keyId: 'k' };
  proxy.loseResponseTo(COMMIT);
  expect(await new PostgresWebhookStore(database).create({ ...hook, events: ['hello.done'] }, 0)).toBe(
    'full',
  );
  expect(proxy.lost()).toBe(2);
});

test('a job whose removal got no response was removed', async () => {
  await enqueue();
  const [held] = await claim();
  if (!held) throw new Error('nothing was claimed');
  await jobs.settle([end(held)]);
  proxy.loseResponseTo(COMMIT);
  expect(await jobs.remove(tenantId, held.jobId)).toBe('removed');
  expect(await jobs.remove(tenantId, held.jobId)).toBe('missing');
  expect(proxy.lost()).toBe(1);
});

test('the outcome of a path whose COMMIT got no response is saved once, and the suite continues', async () => {
  const suites = postgresSuiteStore(database, { clock: Date.now });
  const key = { tenantId, suiteId: uuidV7(Date.now()) };
  const sides = { leftUrl: 'https://a/', rightUrl: 'https://b/', leftSealed: null, rightSealed: null };
  const lose = () => proxy.loseResponseTo(COMMIT);
  lose();
  expect(await suites.createSuite({ ...key, ...sides, optionsJson: '{}' })).toMatchObject({
    kind: 'created',
  });
  lose();
  const paths = [{ path: '/', comparisonId: 'c' }];
  expect(await suites.planSuite({ ...key, paths, findingsJson: '[]', notesJson: '[]' })).toBe(true);
  lose();
  expect(await suites.savePathOutcome({ ...key, n: 0, verdict: 'pass', findings: 0 })).toBe(true);
  expect(await suites.savePathOutcome({ ...key, n: 0, verdict: 'pass', findings: 0 })).toBe(false);
  lose();
  expect(await suites.endSuite({ ...key, error: null })).toBe(true);
  expect(await suites.endSuite({ ...key, error: null })).toBe(false);
  expect(await suites.getSuite(key)).toMatchObject({ status: 'completed', done: 1, paths: 1 });
  expect(proxy.lost()).toBe(4);
});

test('a comparison whose writes got no response is created and ended once', async () => {
  const comparisons = postgresComparisonStore(database, { clock: Date.now });
  const key = { tenantId, comparisonId: `p:${uuidV7(Date.now())}` };
  const row = {
    pairKey: 'p',
    leftUrl: 'https://a/',
    rightUrl: 'https://b/',
    optionsJson: '{}',
    explain: false,
  };
  proxy.loseResponseTo(COMMIT);
  const made = await comparisons.createComparison({ ...key, ...row, leftSealed: null, rightSealed: null });
  expect(made).toMatchObject({ kind: 'created', status: 'running' });
  proxy.loseResponseTo(COMMIT);
  expect(await comparisons.saveResult({ ...key, resultJson: '{}' })).toBe(true);
  expect(await comparisons.saveResult({ ...key, resultJson: '{}' })).toBe(false);
  expect(proxy.lost()).toBe(2);
});

test('a single statement whose response was lost is sent again and recognises its own effect', async () => {
  const lose = (statement: string) => proxy.loseResponseTo(statement);
  lose('enqueue_jobs');
  const [jobId = ''] = await enqueue();
  expect(await jobs.counts(tenantId)).toEqual({ queued: 1, running: 0 });
  const [held] = await claim();
  lose('renew_jobs');
  expect(await jobs.renew([{ ...end(held ?? { jobId, leaseToken: 1 }), events: [] }], 60_000)).toEqual([
    'held',
  ]);
  lose('settle_jobs');
  expect(await jobs.settle([end(held ?? { jobId, leaseToken: 1 })])).toEqual([true]);
  const [canceled = ''] = await enqueue();
  lose('cancel_job');
  expect(await jobs.cancel(tenantId, canceled)).toMatchObject({ job: { status: 'canceled' } });

  const tenants = new PostgresTenantStore(database);
  const other = { id: uuidV7(Date.now()), slug: `o-${tenantId}`, name: 'o', quotas: {} };
  lose('insert_tenant');
  expect(await tenants.create(other)).toMatchObject({ id: other.id });
  const keys = new PostgresIdempotencyStore(database);
  const owner = uuidV7(Date.now());
  const request = { tenantId, key: 'k', fingerprint: 'f', owner, newId: owner };
  lose('begin_key');
  const begun = await keys.begin({ ...request, inFlightMs: 60_000, keepMs: 60_000, keysMax: 10 });
  expect(begun).toEqual({ kind: 'begun', id: owner });
  expect(proxy.lost()).toBe(6);
});

test.each([
  ['53100', 'STORAGE_FULL', "the database's disk is full"],
  ['53200', 'STORAGE_UNAVAILABLE', 'the database is out of memory'],
])('SQLSTATE %s is %s, and the next write succeeds', async (state, code, message) => {
  const failing = `fails_${state}`;
  await runSql(
    url,
    `CREATE FUNCTION ${failing}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'as the server would' USING ERRCODE = '${state}'; END $$;
    CREATE TRIGGER ${failing} BEFORE INSERT ON audit_jobs EXECUTE FUNCTION ${failing}()`,
  );
  await expect(enqueue()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  await runSql(url, `DROP TRIGGER ${failing} ON audit_jobs`);
  expect(await enqueue()).toHaveLength(1);
});

test('a claim whose response was lost is not sent again, and its jobs can be found', async () => {
  const ids = await enqueue(4);
  await claim(1);
  proxy.loseResponseTo('claim_jobs');
  await expect(claim(2)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect(proxy.lost()).toBe(1);
  expect((await jobs.heldBy('w')).map(({ jobId }) => jobId).sort()).toEqual(ids.slice(0, 3).sort());
  expect(await jobs.counts(tenantId)).toEqual({ queued: 1, running: 3 });
});

test('a holder that is cut off inside a transaction loses its row to the reaper', async () => {
  const [jobId = ''] = await enqueue();
  await claim(1, 0);
  const held = database.transaction(async (queries) => {
    const lock = 'SELECT job_id FROM audit_jobs WHERE job_id = $1 FOR UPDATE';
    await queries.query({ name: 'lock_for_test', text: lock }, [jobId]);
    proxy.stall();
    return queries.query({ name: 'again_for_test', text: lock }, [jobId]);
  });
  await expect(held).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  const reaping = new PostgresJobStore(openedBeside());
  expect(await reaping.reap(REAP)).toEqual([]);
  for (const until = Date.now() + 30_000; ; ) {
    const reaped = await reaping.reap(REAP);
    if (reaped.length > 0) return expect(reaped).toMatchObject([{ jobId }]);
    if (Date.now() > until) throw new Error('the row of a dead transaction stays locked');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}, 60_000);

const beside: OpenPostgres[] = [];
function openedBeside(): OpenPostgres {
  const opened = openPostgres({ url, log: keepingLog() });
  beside.push(opened);
  return opened;
}
afterAll(async () => {
  for (const each of beside) await each.close();
});

test('a row held by another transaction is waited for a few seconds, and then reported', async () => {
  const [jobId = ''] = await enqueue();
  await other.query('BEGIN');
  await other.query('SELECT FROM audit_jobs WHERE job_id = $1 FOR UPDATE', [jobId]);
  await expect(jobs.cancel(tenantId, jobId)).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    details: { reason: 'locked' },
  });
  await other.query('ROLLBACK');
  expect(await jobs.cancel(tenantId, jobId)).toMatchObject({ kind: 'changed' });
}, 30_000);

test('every session is READ COMMITTED and frees its rows, whatever the database’s defaults', async () => {
  const strict = await newDatabase();
  const name = new URL(strict.replace('postgres:///', 'postgres://x/')).pathname.slice(1);
  await runSql(strict, `ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
  const opened = openPostgres({ url: strict, log: keepingLog() });
  const text = `SELECT current_setting('transaction_isolation') AS isolation,
    current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`;
  const expected = [{ isolation: 'read committed', lock: '4s', idle: '10s' }];
  expect(await opened.query({ name: '', text }, [])).toEqual(expected);
  expect(await opened.transaction((queries) => queries.query({ name: '', text }, []))).toEqual(expected);
  await opened.close();
});

test('without its database no call reports success', async () => {
  const [jobId = ''] = await enqueue();
  const gone = openPostgres({ url: proxy.url, log: keepingLog() });
  await gone.close();
  jobs = new PostgresJobStore(gone);
  for (const call of [
    () => enqueue(1),
    () => enqueue(150),
    () => jobs.retry(tenantId, jobId),
    () => jobs.cancel(tenantId, jobId),
    () => jobs.remove(tenantId, jobId),
    () => jobs.prune({ olderThanMs: 0, limit: 1 }),
  ]) {
    await expect(call()).rejects.toThrow();
  }
});
