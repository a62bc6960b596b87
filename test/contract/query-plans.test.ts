/**
 * No store statement scans a table that grows. On SQLite this covers the statements that the contract suites run; on
 * PostgreSQL, all statements.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComparisonStoreOptions } from '../../src/compare/index.js';
import { methodNames } from '../../src/port-methods.js';
import { BatchTransactions } from '../../src/runtimes/node/records/batch-transactions.js';
import type { AsyncRecordStores } from '../../src/runtimes/node/records/records-host.js';
import type { RecordCall, RecordStoreName } from '../../src/runtimes/node/records/records-messages.js';
import { BatchRunner } from '../../src/runtimes/node/sqlite/batch-runner.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import * as comparisons from '../../src/stores/portable/comparison-sql.js';
import * as revokedSessions from '../../src/stores/portable/revoked-sessions.js';
import * as runJobs from '../../src/stores/portable/run-jobs.js';
import * as sealedRows from '../../src/stores/portable/sealed-rows.js';
import * as suites from '../../src/stores/portable/suite-sql.js';
import * as waitingDeliveries from '../../src/stores/portable/waiting-deliveries.js';
import * as audits from '../../src/stores/postgres/sql/audits.js';
import * as changeJobs from '../../src/stores/postgres/sql/change-jobs.js';
import * as claimJobs from '../../src/stores/postgres/sql/claim-jobs.js';
import * as enqueueJobs from '../../src/stores/postgres/sql/enqueue-jobs.js';
import * as idempotencyKeys from '../../src/stores/postgres/sql/idempotency-keys.js';
import * as oldComparisons from '../../src/stores/postgres/sql/old-comparisons.js';
import * as pruneJobs from '../../src/stores/postgres/sql/prune-jobs.js';
import * as readJobs from '../../src/stores/postgres/sql/read-jobs.js';
import * as reapJobs from '../../src/stores/postgres/sql/reap-jobs.js';
import * as recordStep from '../../src/stores/postgres/sql/record-step.js';
import * as renewJobs from '../../src/stores/postgres/sql/renew-jobs.js';
import * as settleJobs from '../../src/stores/postgres/sql/settle-jobs.js';
import * as tenants from '../../src/stores/postgres/sql/tenants.js';
import * as webhooks from '../../src/stores/postgres/sql/webhooks.js';
import { LooseData } from '../../src/stores/sqlite/loose-data.js';
import { createRecordStores } from '../../src/stores/sqlite/record-stores.js';
import { sqliteComparisonStore } from '../../src/stores/sqlite/run-work.js';
import type { SqlValue } from '../../src/stores/sqlite/sql-database.js';
import { SqliteStreamStore } from '../../src/stores/sqlite/sqlite-stream-store.js';
import { SqliteSubscriptionStore } from '../../src/stores/sqlite/sqlite-subscription-store.js';
import type { AppendInput, NewSubscription, StreamStore } from '../../src/streams/index.js';
import { uuidV7 } from '../../src/uuid.js';
import { freshStream, keyFor } from '../support/fresh-stream.js';
import { newDatabase } from '../support/postgres-database.js';
import { postgresScans, recordStatements, type Scan, sqliteScans } from '../support/query-plans.js';
import { auditStoreContract } from './audit-store-contract.js';
import { comparisonStoreContract } from './comparison-store-contract.js';
import { idempotencyContract } from './idempotency-store-contract.js';
import { jobStoreContract } from './job-store-contract.js';
import { streamStoreContract } from './stream-store-contract.js';
import { suiteStoreContract } from './suite-store-contract.js';

/** Scans whose cost does not depend on the size of the table, each with the reason. */
const BOUNDED: readonly (readonly [scan: RegExp, why: string])[] = [
  [/audit_jobs_running/, 'running jobs are as many as workers may hold'],
  [/audit_jobs_undelayed|audit_jobs_delayed/, 'walked from one end, and left at the first row'],
  [/audit_jobs_suspect/, 'jobs whose workers died are few, and the first is taken'],
  [/sealed_chunks_hot/, 'walked from one end, and left after a few rows'],
  [/tenants_pkey/, 'a claim serves up to 256 tenants'],
  [/^record_counts|record_counts_pkey/, 'a few rows for each tenant'],
  [/suites_running/, 'running suites are as many as workers may hold'],
  [/^by_verdict/, 'at most six counts of one suite'],
  [/^loose_data/, 'what a process that died left, once at the start'],
  [/^loose_rows/, 'walked from one end, and left at the first row'],
  [/streams_damaged/, 'damaged streams are few, once at the start'],
  [/^stream_totals/, 'one row for each tenant, once at the start'],
  [
    /^waiting$|webhook_deliveries_due|^webhooks$|webhooks_pkey/,
    'walked from one end, and left after a bounded number of rows',
  ],
  [/_schema$|^sqlite_master/, 'one row, at the start'],
];

/** Methods of the store itself, called directly instead of through its port. */
const AT_START = ['checkTails', 'damagedStreams', 'storedBytes', 'openCount'];
const REPAIRS = ['giveUpChunk', 'clearDamage', 'cutOff'];

/** Methods that need no plan, each with the reason. */
const WITHOUT_PLAN: Readonly<Record<string, string>> = {
  'streams.flush': 'called at the end of every transaction',
  'streams.forget': 'clears memory only',
  'streams.changeRows': 'once, when a step of the clock is accepted',
  'streams.skipChunks': 'once, after acknowledged writes were lost',
};

const isBounded = ({ scan }: Scan) => BOUNDED.some(([known]) => known.test(scan));

describe('SQLite', () => {
  const recorded = new Map<string, readonly SqlValue[]>();
  const called = new Set<string>();
  const database = openDatabase(':memory:');
  beforeAll(() => {
    createRecordStores(database, Date.now);
    new SqliteStreamStore(database);
    new LooseData(database);
    new SqliteSubscriptionStore(database);
  });

  /** Opens the record stores as their thread runs them, but in this thread and on their own database. */
  function openRecords({ clock = Date.now, ...options }: ComparisonStoreOptions) {
    const own = recordStatements(openDatabase(':memory:'), recorded);
    const stores = {
      ...createRecordStores(own, clock),
      comparisons: sqliteComparisonStore(own, { clock, ...options }),
    };
    const files = { check: () => undefined };
    const batches = new BatchTransactions({
      database: own,
      stores,
      files,
      clock: { takeStep: () => 0, save: () => undefined },
    });
    const hosted = (store: RecordStoreName) =>
      calling((method, args) => {
        called.add(`${store}.${method}`);
        return batches.run([{ store, method, args } as RecordCall])[0];
      });
    const names = Object.keys(stores) as RecordStoreName[];
    const ports = Object.fromEntries(names.map((name) => [name, hosted(name)]));
    return { ...(ports as unknown as AsyncRecordStores), stop: async () => own.close() };
  }

  function openStreams() {
    const own = recordStatements(openDatabase(':memory:'), recorded);
    const open = () => {
      const streams = new SqliteStreamStore(own, { chunkBytes: 16, loose: new LooseData(own) });
      const runner = new BatchRunner(own, { streams });
      return calling((method, args) => {
        called.add(`streams.${method}`);
        return runner.run([{ method, args }])[0];
      }) as StreamStore;
    };
    return { store: open(), reopen: async () => open(), stop: async () => own.close() };
  }

  const shared = openRecords({ clock: Date.now });
  afterAll(async () => {
    database.close();
    await shared.stop();
  });
  const newTenant = async () => {
    const slug = `t-${crypto.randomUUID()}`;
    const made = { id: uuidV7(Date.now()), slug, name: slug, quotas: {} };
    return (await shared.tenants.create(made))?.id ?? '';
  };

  describe('jobs', () => jobStoreContract(async () => openRecords({ clock: Date.now })));
  describe('audits', () => auditStoreContract(() => shared));
  describe('keys', () => idempotencyContract(() => ({ store: shared.idempotency, newTenant })));
  describe('comparisons', () =>
    comparisonStoreContract(async (options) => {
      const { comparisons: store, stop } = openRecords(options);
      return { store, stop };
    }));
  describe('suites', () =>
    suiteStoreContract(async (options) => {
      const { suites: store, stop } = openRecords(options);
      return { store, stop };
    }));
  describe('streams', () => streamStoreContract(async () => openStreams()));

  test('webhooks, sessions and rows without a job', async () => {
    const tenantId = await newTenant();
    const webhook = { webhookId: uuidV7(1), tenantId, url: 'https://a.example/', keyId: 'k' };
    await shared.webhooks.create({ ...webhook, events: ['hello.done'] }, 10);
    await shared.webhooks.claimDue({ keyId: 'k', limit: 8, holdMs: 1 });
    const settlement = { attempt: 1, outcome: 'again' as const, delayMs: 0, result: '500' };
    await shared.webhooks.settle({ ...settlement, deliveryId: 'msg_1' });
    await shared.webhooks.prune({ olderThanMs: 0, limit: 10 });
    await shared.webhooks.remove(tenantId, webhook.webhookId);
    await shared.revokedSessions.add('one', 1);
    await shared.revokedSessions.has('one');
    await shared.sealedRows.find(10);
    await shared.deliveryCounts.waiting({ keyId: 'k', limit: 10 });
    await shared.oldComparisons.prune({ olderThanMs: 0, limit: 10 });
    await shared.jobs.overview();
    expect(recorded.size).toBeGreaterThan(100);
  });

  test('subscriptions and data that no record refers to', () => {
    const own = recordStatements(openDatabase(':memory:'), recorded);
    const store = new SqliteSubscriptionStore(own);
    const loose = new LooseData(own);
    const streams = new SqliteStreamStore(own, { loose, chunkBytes: 1_100 });
    const link = { path: 'a/b', explicit: true, stream: null };
    const checks = [{ path: 'a/b', stream: { hash: 'aaaaa', tail: { chunk: 0, position: 1 } } }];
    const facts = { now: 1, linksMax: 10 };
    store.create({ ...SUBSCRIPTION, links: [link] }, 10);
    store.link(SUBSCRIPTION, [{ ...link, path: 'a/c' }], 10);
    store.notice([{ key: SUBSCRIPTION, checks, newWakeId: 'w' }], facts);
    store.step(SUBSCRIPTION, { wake: { kind: 'noticed' }, checks }, { ...facts, newWakeId: 'w' });
    store.list(null, 10);
    store.links(SUBSCRIPTION, '', 10);
    store.newsFirst(SUBSCRIPTION, 10);
    store.unlink(SUBSCRIPTION, 'a/c', false);
    store.remove(SUBSCRIPTION);
    const part = { from: 0, ...loose.stage(new Uint8Array(1)) };
    loose.release({ parts: [part] });
    loose.use({ length: 1, parts: [part] });
    // More rows than one pass clears, in a cold chunk and in the open one.
    streams.create(freshStream('many'));
    for (let n = 0; n < 2_150; n++) {
      const producer = { id: `p${n}`, epoch: 0, seq: 0 };
      streams.append('many', { ...SMALL_APPEND, producer });
    }
    streams.markCold(keyFor('many'), 0);
    streams.remove(keyFor('many'));
    while (loose.hasUnused) loose.dropUnused(1);
    own.close();
  });

  test('tenants, expired keys, and the queries of a start and a repair', async () => {
    const slug = (await shared.tenants.list({ after: '', limit: 1 }))[0]?.slug ?? '';
    await shared.tenants.bySlug(slug);
    await shared.tenants.setQuotas(slug, {});
    await shared.idempotency.prune(10);
    const tenantId = await newTenant();
    await shared.webhooks.list(tenantId);
    await shared.webhooks.get(tenantId, 'none');
    const own = recordStatements(openDatabase(':memory:'), recorded);
    const streams = new SqliteStreamStore(own);
    streams.create(freshStream('s'));
    const key = keyFor('s');
    streams.checkTails('', 10);
    streams.damagedStreams();
    streams.storedBytes();
    streams.openCount();
    streams.giveUpChunk(key, 0);
    streams.clearDamage(key);
    streams.cutOff(key, { chunk: 0, position: 0 });
    own.close();
    for (const method of [...AT_START, ...REPAIRS]) called.add(`streams.${method}`);
  });

  test('every store method was called', () => {
    const stores = { ...createRecordStores(database, Date.now), streams: new SqliteStreamStore(database) };
    const all = Object.entries(stores).flatMap(([name, store]) =>
      methodNames(store).map((method) => `${name}.${method}`),
    );
    expect(all.filter((method) => !called.has(method) && !(method in WITHOUT_PLAN))).toEqual([]);
  });

  test('no statement scans a table that grows', () => {
    expect(sqliteScans(database, recorded).filter((scan) => !isBounded(scan))).toEqual([]);
  });
});

const SMALL_APPEND: AppendInput = {
  data: new Uint8Array(1),
  contentType: 'text/plain',
  seq: null,
  producer: null,
  close: false,
  now: 0,
  bytesMax: 1e9,
};

const SUBSCRIPTION: NewSubscription = {
  tenant: 'acme',
  id: 'one',
  mode: 'pull-wake',
  pattern: 'a/*',
  webhookSealed: null,
  wakeStream: 'wake',
  leaseMs: 1000,
  description: null,
  createdAt: 1,
  nonce: 'n',
  baseUrl: 'http://x',
  configHash: 'h',
  links: [],
};

type CallResult = { readonly value: unknown } | { readonly fault: { readonly message: string } } | undefined;

/** Returns a port whose calls are executed by `run`. */
function calling(run: (method: string, args: readonly unknown[]) => CallResult): unknown {
  return new Proxy(
    {},
    {
      get(_target, method) {
        // `await` looks for `then`, and this is not a promise.
        if (typeof method !== 'string' || method === 'then') return undefined;
        return async (...args: unknown[]) => {
          const result = run(method, args);
          if (result && 'value' in result) return result.value;
          throw new Error(result?.fault.message);
        };
      },
    },
  );
}

describe('PostgreSQL', () => {
  const modules = [
    audits,
    changeJobs,
    claimJobs,
    comparisons,
    enqueueJobs,
    idempotencyKeys,
    oldComparisons,
    pruneJobs,
    readJobs,
    reapJobs,
    recordStep,
    renewJobs,
    revokedSessions,
    runJobs,
    sealedRows,
    settleJobs,
    suites,
    tenants,
    waitingDeliveries,
    webhooks,
  ];
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: await newDatabase() });
    await client.connect();
    for (const sql of [...SEED, 'SET enable_seqscan = off', 'SET plan_cache_mode = force_generic_plan'])
      await client.query(sql);
  });
  afterAll(() => client.end());

  test.each(modules.flatMap((module) => statementsIn(module)).map((each) => [each.name, each] as const))(
    '%s scans no table',
    async (_name, statement) => {
      const scans = await postgresScans(client, statement);
      expect(scans.filter((scan) => !isBounded(scan))).toEqual([]);
    },
  );
});

interface Statement {
  readonly name: string;
  readonly text: string;
}

function statementsIn(value: unknown): Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('name' in value && 'text' in value) return [value as Statement];
  return Object.values(value).flatMap(statementsIn);
}

/** Enough rows for the plan to matter. */
const SEED = [
  `INSERT INTO tenants (id, slug, name) SELECT gen_random_uuid(), 't' || n, 'T' FROM generate_series(1, 5) n`,
  `INSERT INTO audits (tenant_id, url, canonical_url, status)
    SELECT id, 'u', 'u', 'done' FROM tenants, generate_series(1, 1000)`,
  `INSERT INTO audit_jobs (tenant_id, kind, status, idempotency_key, payload_json, started_at, finished_at)
    SELECT id, 'hello', CASE WHEN n % 10 = 0 THEN 'queued' ELSE 'done' END, rpad(n::text || slug, 64, '0'), '{}',
      CASE WHEN n % 10 > 0 THEN now() END, CASE WHEN n % 10 > 0 THEN now() END
    FROM tenants, generate_series(1, 1000) n`,
  `INSERT INTO audit_jobs (tenant_id, audit_id, kind, idempotency_key, payload_json)
    SELECT tenant_id, id, 'audit', rpad(id::text, 64, '0'), '{}' FROM audits`,
  `INSERT INTO audit_progress_events (job_id, seq, event_type)
    SELECT job_id, n, 'metric' FROM audit_jobs, generate_series(1, 3) n`,
  `INSERT INTO comparisons (id, tenant_id, ts, left_url, right_url, status, result_json)
    SELECT 'p' || n % 1000 || ':c' || n, 't' || n % 5, n, 'l', 'r', 'completed', '{}'
    FROM generate_series(1, 5000) n`,
  `INSERT INTO explanations (comparison_id, state) SELECT id, 'off' FROM comparisons`,
  `INSERT INTO probes (id, comparison_id, ts, side, url, envelope_json)
    SELECT id || ':left', id, ts, 'left', 'u', '{}' FROM comparisons`,
  `INSERT INTO probe_samples (probe_id, n, envelope_json) SELECT id, 2, '{}' FROM probes`,
  `INSERT INTO audit_job_steps (job_id, name, result_json, lease_token)
    SELECT job_id, 'step', '{}', 1 FROM audit_jobs`,
  `INSERT INTO suites (id, tenant_id, ts, left_url, right_url, options_json, status)
    SELECT 's' || n, 't' || n % 5, n, 'l', 'r', '{}', 'completed' FROM generate_series(1, 1000) n`,
  `INSERT INTO suite_paths (suite_id, n, path, comparison_id)
    SELECT id, n, '/', 'c' || n FROM suites, generate_series(1, 5) n`,
  `INSERT INTO idempotency_keys (tenant_id, key, fingerprint, owner, new_id, locked_until, expires_at)
    SELECT id, n::text, repeat('0', 64), gen_random_uuid(), gen_random_uuid(), now(), now()
    FROM tenants, generate_series(1, 1000) n`,
  `INSERT INTO webhooks (tenant_id, url, events_json, key_id) SELECT id, 'u', '[]', 'k' FROM tenants`,
  `INSERT INTO webhook_deliveries (delivery_id, webhook_id, event_type, data_json, state)
    SELECT gen_random_uuid()::text, webhook_id, 'hello.done', '{}', CASE WHEN n % 2 = 0 THEN 'due' ELSE 'failed' END
    FROM webhooks, generate_series(1, 1000) n`,
  'ANALYZE',
];
