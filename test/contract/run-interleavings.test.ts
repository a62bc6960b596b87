/** Runs on PostgreSQL whose connections break, or whose job ends while they begin. Every interleaving is forced. */
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { uniqueKey } from '../../src/jobs/index.js';
import { type OpenPostgres, openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { LOCK_OPEN_JOB } from '../../src/stores/portable/run-jobs.js';
import { PostgresJobStore } from '../../src/stores/postgres/postgres-job-store.js';
import { PostgresTenantStore } from '../../src/stores/postgres/postgres-tenant-store.js';
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
  await other.connect();
  tenantId = uuidV7(Date.now());
  const slug = `t-${tenantId}`;
  await new PostgresTenantStore(database).create({ id: tenantId, slug, name: slug, quotas: {} });
});

afterEach(async () => {
  await other.end();
  await database.close();
  await proxy.close();
});

/** The whole statement as it is sent. */
const COMMIT = 'COMMIT\0';
const SIDES = {
  leftUrl: 'https://a/',
  rightUrl: 'https://b/',
  leftSealed: null,
  rightSealed: null,
  optionsJson: '{}',
};

const runJob = (kind: 'compare' | 'suite', jobId: string) => {
  const job = { jobId, tenantId, kind, payload: { tenantId }, maxAttempts: 3 };
  return { ...job, idempotencyKey: uniqueKey(jobId) };
};

test('a run whose COMMIT got no response has one row and one job', async () => {
  const jobId = uuidV7(Date.now());
  const key = { tenantId, comparisonId: `p:${jobId}` };
  const job = runJob('compare', jobId);
  proxy.loseResponseTo(COMMIT);
  const comparisons = postgresComparisonStore(database, { clock: Date.now });
  const input = { ...key, ...SIDES, pairKey: 'p', explain: true, jobId, job };
  expect(await comparisons.createComparison(input)).toMatchObject({ kind: 'created', status: 'running' });
  proxy.loseResponseTo(COMMIT);
  const suiteId = uuidV7(Date.now());
  const suites = postgresSuiteStore(database, { clock: Date.now });
  const plan = { paths: [{ path: '/', comparisonId: 'p:1' }], findingsJson: '[]', notesJson: '[]' };
  const suite = { tenantId, suiteId, ...SIDES, plan, job: runJob('suite', suiteId) };
  expect(await suites.createSuite(suite)).toMatchObject({ kind: 'created', status: 'running' });
  expect(proxy.lost()).toBe(2);
  expect(await jobs.counts(tenantId)).toEqual({ queued: 2, running: 0 });
});

test('a run whose COMMIT never arrived is created by the next try', async () => {
  const jobId = uuidV7(Date.now());
  const comparisons = postgresComparisonStore(database, { clock: Date.now });
  const key = { tenantId, comparisonId: `p:${jobId}` };
  proxy.loseResponseTo('insert_run_job');
  const input = { ...key, ...SIDES, pairKey: 'p', explain: true, jobId, job: runJob('compare', jobId) };
  expect(await comparisons.createComparison(input)).toMatchObject({ kind: 'created', status: 'running' });
  expect(await jobs.counts(tenantId)).toEqual({ queued: 1, running: 0 });
});

test('a comparison that is created while the job of its suite ends, ends with it', async () => {
  const suiteId = uuidV7(Date.now());
  const suites = postgresSuiteStore(database, { clock: Date.now });
  await suites.createSuite({ tenantId, suiteId, ...SIDES, job: runJob('suite', suiteId) });
  await other.query('BEGIN');
  await other.query(LOCK_OPEN_JOB.text ?? '', [suiteId]);
  const id = `p:${uuidV7(Date.now())}`;
  await other.query(
    `INSERT INTO comparisons (id, tenant_id, ts, left_url, right_url, job_id) VALUES ($1, $2, 0, 'l', 'r', $3)`,
    [id, tenantId, suiteId],
  );
  let hasEnded = false;
  const ending = jobs.cancel(tenantId, suiteId).then(() => {
    hasEnded = true;
  });
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await runSql(url, waiting)).length).toBeGreaterThan(0);
  expect(hasEnded).toBe(false);
  await other.query('COMMIT');
  await ending;
  const rows = await runSql(url, 'SELECT status FROM comparisons WHERE id = $1', [id]);
  expect(rows).toEqual([{ status: 'failed' }]);
});
