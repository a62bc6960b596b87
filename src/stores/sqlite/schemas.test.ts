/** What a new data folder contains, and how one of each earlier version becomes the same. */
import { expect, onTestFinished, test } from 'vitest';
import { freshStream, keyFor } from '../../../test/support/fresh-stream.js';
import { type OpenDatabase, openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { COMPARISON_SCHEMA } from './comparison-schema.js';
import { LOOSE_SCHEMA } from './loose-data.js';
import { prepareSchema, type Schema } from './prepare-schema.js';
import { PROXY_SCHEMA } from './proxy-schema.js';
import { RECORD_SCHEMA } from './record-schema.js';
import { createRecordStores, RECORD_FILE_SCHEMAS } from './record-stores.js';
import { SqliteProxyStore } from './sqlite-proxy-store.js';
import { SqliteStreamStore } from './sqlite-stream-store.js';
import { STREAM_SCHEMA } from './stream-schema.js';
import { SUBSCRIPTION_SCHEMA } from './subscription-schema.js';
import { SUITE_SCHEMA } from './suite-schema.js';

function open(): OpenDatabase {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  return database;
}

function namesOf(database: OpenDatabase, type: 'table' | 'index' | 'trigger'): string[] {
  const sql = 'SELECT name FROM sqlite_master WHERE type = ? AND sql IS NOT NULL AND name <> ? ORDER BY name';
  // The driver's own table.
  return database.all(sql, [type, 'log_layout']).map((row) => String(row['name']));
}

interface Objects {
  readonly tables: readonly string[];
  readonly indexes?: readonly string[];
  readonly triggers?: readonly string[];
}

const OBJECTS: readonly (readonly [Schema, Objects])[] = [
  [
    STREAM_SCHEMA,
    {
      tables: [
        ...['chunks', 'long_data', 'producers', 'sealed_chunks', 'stream_forks', 'stream_schema'],
        ...['stream_totals', 'streams'],
      ],
      indexes: [
        ...['sealed_chunks_hot', 'streams_damaged', 'streams_deleted', 'streams_ended'],
        ...['streams_expiring', 'streams_listed'],
      ],
    },
  ],
  [LOOSE_SCHEMA, { tables: ['loose_data', 'loose_rows', 'loose_schema'], indexes: ['loose_data_unused'] }],
  [
    SUBSCRIPTION_SCHEMA,
    {
      tables: ['subscription_links', 'subscription_schema', 'subscriptions'],
      indexes: ['subscription_links_pending'],
    },
  ],
  [
    PROXY_SCHEMA,
    {
      tables: ['proxy_attempts', 'proxy_creates', 'proxy_pumps', 'proxy_schema'],
      indexes: [
        ...['proxy_attempts_expiry', 'proxy_attempts_headless', 'proxy_attempts_open'],
        ...['proxy_creates_expiry'],
      ],
    },
  ],
  [
    RECORD_SCHEMA,
    {
      tables: [
        ...['audit_job_steps', 'audit_jobs', 'audit_parts', 'audit_progress_events', 'audits'],
        ...['idempotency_keys', 'record_counts', 'record_schema', 'revoked_sessions', 'tenants'],
        ...['webhook_deliveries', 'webhooks'],
      ],
      indexes: [
        ...['audit_jobs_audit', 'audit_jobs_delayed', 'audit_jobs_ended', 'audit_jobs_last_try'],
        ...['audit_jobs_listed', 'audit_jobs_of_audit', 'audit_jobs_queue', 'audit_jobs_running'],
        ...[
          'audit_jobs_same_work',
          'audit_jobs_undelayed',
          'audits_by_status',
          'audits_newest',
          'audits_of_site',
        ],
        ...['idempotency_keys_expiry', 'revoked_sessions_expiry', 'webhook_deliveries_due'],
        ...['webhook_deliveries_ended', 'webhook_deliveries_fresh', 'webhook_deliveries_next'],
        'webhook_deliveries_of',
        'webhooks_of_tenant',
      ],
      triggers: [
        ...['audit_follows_its_job', 'changed_job_is_counted', 'deleted_job_is_counted'],
        ...['deleted_key_is_counted', 'ended_job_is_delivered', 'new_job_is_counted', 'new_key_is_counted'],
      ],
    },
  ],
  [
    COMPARISON_SCHEMA,
    {
      tables: [
        ...['comparison_schema', 'comparisons', 'explanations', 'pair_baselines', 'pairs'],
        ...['probe_samples', 'probes'],
      ],
      indexes: [
        ...['comparisons_leased', 'comparisons_of_pair', 'idx_comparisons_status', 'idx_comparisons_ts'],
        ...['idx_probes_comparison', 'idx_probes_side', 'pairs_newest', 'pairs_own'],
      ],
      triggers: ['comparison_is_noted', 'removed_comparison_is_noted'],
    },
  ],
  [
    SUITE_SCHEMA,
    {
      tables: ['suite_paths', 'suite_schema', 'suites'],
      indexes: ['suites_by_ts', 'suites_leased', 'suites_of_tenant'],
    },
  ],
];

test.each(OBJECTS)('creates all tables, indexes and triggers of $name', (schema, expected) => {
  const database = open();
  prepareSchema(database, schema);
  expect({
    tables: namesOf(database, 'table'),
    indexes: namesOf(database, 'index'),
    triggers: namesOf(database, 'trigger'),
  }).toEqual({ indexes: [], triggers: [], ...expected });
});

/** Version, the oldest version that can be upgraded, and the oldest whose code can use the data. */
const VERSIONS: readonly (readonly [Schema, version: number, since: number, readableSince: number | null])[] =
  [
    [STREAM_SCHEMA, 6, 1, null],
    [LOOSE_SCHEMA, 2, 1, 1],
    [SUBSCRIPTION_SCHEMA, 2, 2, null],
    [PROXY_SCHEMA, 3, 1, 2],
    [RECORD_SCHEMA, 4, 1, 2],
    [COMPARISON_SCHEMA, 4, 1, 2],
    [SUITE_SCHEMA, 1, 1, null],
  ];

test.each(VERSIONS)(
  'data of $name is version %d and accepted since version %d',
  (schema, version, since, readableSince) => {
    const { name } = schema;
    const database = open();
    prepareSchema(database, schema);
    const stored = () => database.all(`SELECT * FROM ${name}_schema`, []);
    expect(stored()).toEqual([{ version, readable_since: readableSince }]);
    const again = (found: number) => {
      database.run(`UPDATE ${name}_schema SET version = ?`, [found]);
      prepareSchema(database, { ...schema, upgrades: {} });
    };
    again(since);
    expect(stored()).toEqual([{ version, readable_since: readableSince }]);
    expect(() => again(since - 1)).toThrow('it is too old to be migrated');
  },
);

test('the records file contains records, comparisons, suites and the clock', () => {
  expect(RECORD_FILE_SCHEMAS.map(({ name }) => name)).toEqual(['record', 'comparison', 'suite', 'clock']);
});

test('indexes that earlier versions of the records had are dropped', () => {
  const database = open();
  prepareSchema(database, RECORD_SCHEMA);
  const before = namesOf(database, 'index');
  for (const [name, table] of [
    ['audits_of_tenant', 'audits'],
    ['audit_jobs_ready', 'audit_jobs'],
    ['audit_jobs_leased', 'audit_jobs'],
    ['idx_jobs_tenant', 'audit_jobs'],
    ['audit_jobs_suspect', 'audit_jobs'],
  ]) {
    database.run(`CREATE INDEX ${name} ON ${table} (tenant_id)`, []);
  }
  prepareSchema(database, RECORD_SCHEMA);
  expect(namesOf(database, 'index')).toEqual(before);
});

test('streams of version 3 get their collection, outcome and time of expiry', () => {
  const database = open();
  const before = new SqliteStreamStore(database);
  const streams = [
    ['stream/acme/a', { ttlSeconds: 1 }],
    ['stream/acme/b/c', { expiresAt: 5 }],
    ['stream/acme/for ever', {}],
    ['stream/acme/deleted', { ttlSeconds: 1 }],
    ['proxy/1', { metadata: '{"tenant":"acme","outcome":"failed"}', closed: true }],
    ['proxy/2', { metadata: 'not JSON' }],
    ['other', { metadata: '{"tenant":"acme"}' }],
  ] as const;
  for (const [id, change] of streams) before.create(freshStream(id, change));
  before.flush();
  database.run("UPDATE streams SET deleted = 1 WHERE stream_id = 'stream/acme/deleted'", []);
  for (const statement of [
    ...['streams_listed', 'streams_ended', 'streams_expiring'].map((name) => `DROP INDEX ${name}`),
    ...['expiry_check_at', 'outcome', 'collection', 'appended_at'].map(
      (column) => `ALTER TABLE streams DROP COLUMN ${column}`,
    ),
    'ALTER TABLE chunks DROP COLUMN arrived_at',
    'UPDATE stream_schema SET version = 3',
  ]) {
    database.run(statement, []);
  }
  new SqliteStreamStore(database);
  const columns = 'stream_id, collection, outcome, expiry_check_at';
  expect(
    database.all(`SELECT ${columns} FROM streams ORDER BY stream_id`, []).map((row) => Object.values(row)),
  ).toEqual([
    ['other', null, null, null],
    ['proxy/1', 'proxy/acme', 'failed', null],
    ['proxy/2', null, null, null],
    ['stream/acme/a', 'stream/acme', null, 0],
    ['stream/acme/b/c', 'stream/acme', null, 0],
    ['stream/acme/deleted', 'stream/acme', null, null],
    ['stream/acme/for ever', 'stream/acme', null, null],
  ]);
});

test('pumps of version 1, which has no lives, are known by the id of their stream', () => {
  const database = open();
  const before = new SqliteProxyStore(database);
  before.pumpStarted(keyFor('s', 's'));
  database.run('ALTER TABLE proxy_pumps DROP COLUMN owner_id', []);
  removeAttempts(database);
  database.run('UPDATE proxy_schema SET version = 1', []);
  expect(new SqliteProxyStore(database).pumps('', 9)).toEqual([keyFor('s', 's')]);
});

/** Makes the tables of the proxy those of version 2. */
function removeAttempts(database: OpenDatabase): void {
  database.run('DROP TABLE proxy_attempts', []);
  for (const column of ['digest', 'response', 'attempt', 'repeatable'])
    database.run(`ALTER TABLE proxy_creates DROP COLUMN ${column}`, []);
}

test('keys of version 2 keep their outcome as that of a first attempt', () => {
  const database = open();
  const before = new SqliteProxyStore(database);
  const create = { fingerprint: 'f', now: 0, expiresAt: 9 };
  const refused = { kind: 'refused', status: 502, headers: {}, body: new Uint8Array(1) } as const;
  const results = [{ kind: 'stream', id: 's' }, refused, null] as const;
  for (const [n, result] of results.entries()) {
    before.beginCreate({ key: `k${n}`, ...create });
    if (result) before.endCreate(`k${n}`, { result });
  }
  removeAttempts(database);
  database.run('UPDATE proxy_schema SET version = 2', []);
  const after = new SqliteProxyStore(database);
  for (const [n, result] of results.entries()) {
    const known = { fingerprint: 'f', digest: null, response: null, attempt: 1 };
    expect(after.findCreate(`k${n}`, 1)).toEqual({ ...known, result });
  }
  expect(after.attempts('s')).toEqual([]);
});

test('jobs and keys of version 2 are counted by tenant', () => {
  const database = open();
  const { tenants, jobs, idempotency } = createRecordStores(database, () => 1_000);
  const enqueue = (tenantId: string, n: number) =>
    jobs.enqueue([
      {
        ...{ jobId: `${tenantId}${n}`, tenantId, kind: 'hello', maxAttempts: 3, payload: {} },
        idempotencyKey: `${tenantId}${n}`.padEnd(64, '0'),
      },
    ]);
  for (const id of ['a', 'b']) tenants.create({ id, slug: id, name: id, quotas: {} });
  for (const n of [1, 2, 3]) enqueue('a', n);
  enqueue('b', 1);
  const claim = { workerId: 'w', kinds: ['hello' as const], leaseMs: 9, runningMax: 9, after: null };
  jobs.claim({ ...claim, limit: 1 });
  for (const key of ['k', 'l']) {
    const owner = { owner: 'o', newId: key, inFlightMs: 1, keepMs: 9, keysMax: 9 };
    idempotency.begin({ tenantId: 'b', key, fingerprint: 'f', ...owner });
  }
  const counts = 'SELECT * FROM record_counts ORDER BY tenant_id, name';
  const kept = database.all(counts, []);
  database.run('ALTER TABLE audit_jobs DROP COLUMN ran_ms', []);
  database.run('DROP TABLE record_counts', []);
  database.run('UPDATE record_schema SET version = 2', []);
  createRecordStores(database, () => 1_000);
  expect(database.all(counts, [])).toEqual(kept);
  expect(kept.map((row) => Object.values(row))).toEqual([
    ['a', 'queued', 2],
    ['a', 'running', 1],
    ['b', 'idempotency_keys', 2],
    ['b', 'queued', 1],
    ['b', 'running', 0],
  ]);
});

test('pairs of older versions get their number of comparisons and the newest one', () => {
  const database = open();
  prepareSchema(database, COMPARISON_SCHEMA);
  const rows = [
    ['c1', 'acme', 'p', 5],
    ['c3', 'acme', 'p', 7],
    ['c2', 'acme', 'p', 7],
    ['c4', 'acme', 'q', 6],
    ['c5', 'umbrella', 'p', 9],
  ] as const;
  for (const row of rows) {
    database.run(
      `INSERT INTO comparisons (id, tenant_id, pair_key, ts, left_url, right_url, lease_until)
        VALUES (?, ?, ?, ?, 'l', 'r', 0)`,
      row,
    );
  }
  for (const trigger of ['comparison_is_noted', 'removed_comparison_is_noted'])
    database.run(`DROP TRIGGER ${trigger}`, []);
  database.run('DROP TABLE pairs', []);
  database.run('ALTER TABLE comparisons DROP COLUMN suite_id', []);
  database.run('UPDATE comparison_schema SET version = 2', []);
  prepareSchema(database, COMPARISON_SCHEMA);
  const pairs =
    'SELECT tenant_id, pair_key, comparisons, last_ts, last_id, own_ts, own_id FROM pairs ORDER BY 1, 2';
  expect(database.all(pairs, []).map((row) => Object.values(row))).toEqual([
    ['acme', 'p', 3, 7, 'c3', 7, 'c3'],
    ['acme', 'q', 1, 6, 'c4', 6, 'c4'],
    ['umbrella', 'p', 1, 9, 'c5', 9, 'c5'],
  ]);
});
