/** What a new data folder contains. */
import { expect, onTestFinished, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { COMPARISON_SCHEMA } from './comparison-schema.js';
import { LOOSE_SCHEMA } from './loose-data.js';
import { prepareSchema, type Schema } from './prepare-schema.js';
import { PROXY_SCHEMA } from './proxy-schema.js';
import { RECORD_SCHEMA } from './record-schema.js';
import { RECORD_FILE_SCHEMAS } from './record-stores.js';
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
        ...[
          'deleted_key_is_counted',
          'ended_job_is_delivered',
          'new_job_is_counted',
          'new_key_is_counted',
          'row_ends_with_its_job',
        ],
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
        ...['comparisons_of_job', 'comparisons_of_pair', 'idx_comparisons_status', 'idx_comparisons_ts'],
        ...['idx_probes_comparison', 'idx_probes_side', 'pairs_newest', 'pairs_own'],
      ],
      triggers: ['comparison_is_noted', 'removed_comparison_is_noted'],
    },
  ],
  [
    SUITE_SCHEMA,
    {
      tables: ['suite_paths', 'suite_schema', 'suites'],
      indexes: ['suites_by_ts', 'suites_of_tenant', 'suites_running'],
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

test('the records file contains records, comparisons, suites and the clock', () => {
  expect(RECORD_FILE_SCHEMAS.map(({ name }) => name)).toEqual(['record', 'comparison', 'suite', 'clock']);
});
