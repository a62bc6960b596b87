/**
 * What the contract suites cannot see: which statements the stores send to PostgreSQL, with which time limit, and what
 * they do about a change between two of them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewJob } from '../../src/jobs/index.js';
import { type OpenPostgres, openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { PostgresAuditStore } from '../../src/stores/postgres/postgres-audit-store.js';
import { PostgresIdempotencyStore } from '../../src/stores/postgres/postgres-idempotency-store.js';
import { PostgresJobStore } from '../../src/stores/postgres/postgres-job-store.js';
import { PostgresTenantStore } from '../../src/stores/postgres/postgres-tenant-store.js';
import { PostgresWebhookStore } from '../../src/stores/postgres/postgres-webhook-store.js';
import {
  auditOf,
  bench,
  claimOne,
  enqueue,
  event,
  HOUR_MS,
  newJob,
  newTenant,
  settle,
  tenantId,
  useBench,
  useNewTenant,
  workKey,
} from '../support/job-bench.js';
import { keepingLog } from '../support/keeping-log.js';
import { newDatabase, runSql } from '../support/postgres-database.js';
import { recordedPostgres } from '../support/recorded-postgres.js';

let url: string;
let opened: OpenPostgres;
let recorded: ReturnType<typeof recordedPostgres>;

beforeAll(async () => {
  url = await newDatabase();
  opened = openPostgres({ url, log: keepingLog() });
  recorded = recordedPostgres(opened);
  useBench({
    jobs: new PostgresJobStore(recorded.database),
    tenants: new PostgresTenantStore(opened),
    stop: () => opened.close(),
  });
});
afterAll(() => bench.stop());
beforeEach(async () => {
  await useNewTenant();
  recorded.takeNames();
});

const many = (count: number, fields: (n: number) => Partial<NewJob> = () => ({})) =>
  Array.from({ length: count }, (_, n) => newJob(fields(n)));

describe('enqueue', () => {
  test('new jobs take one statement, and no jobs take none', async () => {
    const audit = auditOf();
    await bench.jobs.enqueue([newJob(), newJob({ kind: 'audit', audit })]);
    expect(recorded.takeNames()).toEqual(['enqueue_jobs']);
    expect(await bench.jobs.enqueue([])).toEqual([]);
    expect(recorded.takeNames()).toEqual([]);
  });

  test('an audit is looked for among the recent ones only if one may be reused', async () => {
    const make = (reuseMs: number) => newJob({ kind: 'audit', audit: auditOf({ reuseMs }) });
    await bench.jobs.enqueue([make(HOUR_MS), make(0), make(HOUR_MS)]);
    expect(recorded.takeNames()).toEqual(['find_recently_done', 'find_recently_done', 'enqueue_jobs']);
  });

  test('a hundred jobs that differ only in id, key and payload are sent as columns', async () => {
    const given = many(100, (n) => ({ payload: { n }, priority: 2, delayMs: HOUR_MS, maxAttempts: 7 }));
    const made = await bench.jobs.enqueue(given);
    expect(recorded.takeNames()).toEqual(['enqueue_alike_jobs']);
    expect(made).toEqual(given.map(({ jobId }) => ({ jobId, auditId: null, created: true })));
    const found = await bench.jobs.list(tenantId, { kinds: ['hello'], limit: 1_000 });
    const byId = new Map(found.map((job) => [job.jobId, job]));
    for (const { jobId, payload, idempotencyKey } of given) {
      const job = byId.get(jobId);
      expect(job).toMatchObject({ payload, idempotencyKey, priority: 2, maxAttempts: 7, status: 'queued' });
      expect((job?.runAt ?? 0) - (job?.queuedAt ?? 0)).toBe(HOUR_MS);
    }
  });

  test('their defaults are no priority and no delay', async () => {
    const [first] = await bench.jobs.enqueue(many(100));
    const job = await bench.jobs.get(tenantId, first?.jobId ?? '');
    expect(job).toMatchObject({ priority: 0, runAt: job?.queuedAt });
  });

  const DIFFERENT: readonly (readonly [string, number, last: () => Promise<Partial<NewJob>>])[] = [
    ['fewer than a hundred', 99, async () => ({})],
    ['one of another tenant', 100, async () => ({ tenantId: await newTenant() })],
    ['one of another kind', 100, async () => ({ kind: 'compare' })],
    ['one with other attempts', 100, async () => ({ maxAttempts: 4 })],
    ['one with a priority', 100, async () => ({ priority: 1 })],
    ['one with a delay', 100, async () => ({ delayMs: HOUR_MS })],
  ];

  test.each(DIFFERENT)('jobs are sent as JSON: %s', async (_name, count, last) => {
    const fields = await last();
    const given = many(count, (n) => (n === count - 1 ? fields : {}));
    await bench.jobs.enqueue(given);
    expect(recorded.takeNames()).toEqual(['enqueue_jobs']);
    const { tenantId: owner, jobId, kind, maxAttempts, priority = 0, delayMs = 0 } = given.at(-1) as NewJob;
    const stored = await bench.jobs.get(owner, jobId);
    expect(stored).toMatchObject({ kind, maxAttempts, priority, runAt: (stored?.queuedAt ?? 0) + delayMs });
  });

  test('audits are sent as JSON, each with its row', async () => {
    const given = many(100, () => ({ kind: 'audit', audit: auditOf() }));
    expect(await bench.jobs.enqueue(given)).toEqual(
      given.map(({ jobId, audit }) => ({ jobId, auditId: audit?.auditId, created: true })),
    );
    expect(recorded.takeNames()).toEqual(['enqueue_jobs']);
    expect(await new PostgresAuditStore(opened).list(tenantId, { limit: 1_000 })).toHaveLength(100);
  });

  test('of a hundred jobs one of which exists, the others are created', async () => {
    const idempotencyKey = workKey();
    const jobId = await enqueue({ idempotencyKey });
    recorded.takeNames();
    const given = many(100, (n) => (n === 50 ? { idempotencyKey } : {}));
    const made = await bench.jobs.enqueue(given);
    expect(recorded.takeNames()).toEqual(['enqueue_alike_jobs', 'enqueue_jobs', 'find_same_jobs']);
    expect(made[50]).toEqual({ jobId, auditId: null, created: false });
    expect(made.filter(({ created }) => created)).toHaveLength(99);
    expect(await bench.jobs.counts(tenantId)).toEqual({ queued: 100, running: 0 });
  });

  test('a job whose twin ends before it is looked up is created after all', async () => {
    const idempotencyKey = workKey();
    const twin = await enqueue({ idempotencyKey });
    const held = await claimOne();
    recorded.takeNames();
    recorded.before('find_same_jobs', () => settle(held));
    const given = [newJob(), newJob({ idempotencyKey })];
    expect(await bench.jobs.enqueue(given)).toEqual(
      given.map(({ jobId }) => ({ jobId, auditId: null, created: true })),
    );
    expect(held.jobId).toBe(twin);
    expect(recorded.takeNames().filter((name) => name === 'enqueue_jobs')).toHaveLength(2);
    expect(await bench.jobs.counts(tenantId)).toEqual({ queued: 2, running: 0 });
  });

  test('a job that is neither inserted nor found is given up after five rounds', async () => {
    await runSql(
      url,
      `CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER drop_row BEFORE INSERT ON audit_jobs FOR EACH ROW EXECUTE FUNCTION drop_row()`,
    );
    try {
      await expect(bench.jobs.enqueue([newJob()])).rejects.toThrow('jobs could be neither queued nor found');
      expect(recorded.takeNames()).toEqual(
        Array.from({ length: 5 }, () => ['enqueue_jobs', 'find_same_jobs']).flat(),
      );
    } finally {
      await runSql(url, 'DROP FUNCTION drop_row CASCADE');
    }
  });
});

test('only a settlement that was not accepted is looked up', async () => {
  await bench.jobs.enqueue([newJob(), newJob()]);
  const [first, second] = [await claimOne(), await claimOne()];
  await settle(first);
  recorded.takeNames();
  expect(await settle(second)).toBe(true);
  expect(recorded.takeNames()).toEqual(['settle_jobs']);
  expect(await settle(first)).toBe(true);
  expect(recorded.takeNames()).toEqual(['settle_jobs', 'find_settled_jobs']);
});

describe('cleanup', () => {
  const CLEANED = ['audit_jobs', 'audit_parts', 'idempotency_keys', 'webhook_deliveries'];

  /** Makes every deletion fail that has the time limits of a request. */
  beforeAll(async () => {
    const limits = `current_setting('statement_timeout') || ' ' || current_setting('lock_timeout')`;
    const check = `IF ${limits} <> '30s 30s' THEN RAISE EXCEPTION 'limited to %', ${limits}; END IF`;
    await runSql(
      url,
      `CREATE FUNCTION check_limits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${check}; RETURN NULL; END $$`,
    );
    for (const table of CLEANED) {
      await runSql(
        url,
        `CREATE TRIGGER check_limits BEFORE DELETE ON ${table} EXECUTE FUNCTION check_limits()`,
      );
    }
  });
  afterAll(() => runSql(url, 'DROP FUNCTION check_limits CASCADE'));

  test('may take longer than a request', async () => {
    await enqueue({ kind: 'audit', audit: auditOf() });
    const held = await claimOne();
    expect(await new PostgresAuditStore(opened).putPart(held, 'report', 'x')).toBe(true);
    await settle(held);
    expect(await bench.jobs.remove(tenantId, held.jobId)).toBe('removed');
    expect(await bench.jobs.prune({ olderThanMs: HOUR_MS, limit: 1 })).toBe(0);
    expect(await new PostgresWebhookStore(opened).prune({ olderThanMs: HOUR_MS, limit: 1 })).toBe(0);
    expect(await new PostgresIdempotencyStore(opened).prune(1)).toBe(0);
  });

  test('deletes events 500 at a time, and then their job', async () => {
    const READ = 'read_transaction_clock';
    await enqueue();
    const held = await claimOne();
    const prune = () => bench.jobs.prune({ olderThanMs: -HOUR_MS, limit: 1 });
    for (let n = -1; n !== 0; ) n = await prune();
    await settle(held, { events: Array.from({ length: 999 }, (_, n) => event(n + 1)) });
    recorded.takeNames();
    expect([await prune(), recorded.takeNames()]).toEqual([500, [READ, 'prune_events']]);
    expect([await prune(), recorded.takeNames()]).toEqual([500, [READ, 'prune_events', READ, 'prune_jobs']]);
    expect(await bench.jobs.get(tenantId, held.jobId)).toBeUndefined();
  });
});
