/**
 * The tables of records: tenants, audits, jobs with their events and steps, webhooks, idempotency keys and revoked
 * sessions. The PostgreSQL engine has the same tables in `migrations/`; here ids are text, times are milliseconds and
 * JSON is text. Triggers do everything that must follow from a job's change of status (the status of its audit, the
 * deliveries of webhooks), so that no writer can omit it.
 */
import { COMPARE_RUNS } from '../../workflows/run-kinds.js';
import { SUSPECT } from './claim-jobs.js';
import type { Schema } from './prepare-schema.js';

const COUNT_BY_STATUS = (row: 'NEW' | 'OLD', change: string) => `
      UPDATE record_counts SET n = n ${change}
      WHERE tenant_id = ${row}.tenant_id AND name = ${row}.status;`;

/** Events have no further index: they are only looked up by job, and an audit is removed after its job. */
const EVENTS_TABLE = `CREATE TABLE IF NOT EXISTS audit_progress_events (
  job_id TEXT NOT NULL REFERENCES audit_jobs (job_id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  audit_id TEXT,
  event_type TEXT NOT NULL
    CHECK (event_type IN ('status_changed', 'step_started', 'step_done', 'warning', 'error', 'metric')),
  message TEXT,
  data_json TEXT,
  progress_pct INTEGER CHECK (progress_pct BETWEEN 0 AND 100),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (job_id, seq)
) WITHOUT ROWID`;

const TABLES = [
  `CREATE TABLE IF NOT EXISTS tenants (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    quotas_json TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS audits (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    url TEXT NOT NULL,
    canonical_url TEXT NOT NULL,
    options_json TEXT NOT NULL,
    recipe_version TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'queued'
      CHECK (status IN ('queued', 'running', 'done', 'failed', 'canceled')),
    score INTEGER CHECK (score BETWEEN 0 AND 100),
    report_ref TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER
  ) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS audits_newest ON audits (tenant_id, created_at, id)',
  'CREATE INDEX IF NOT EXISTS audits_by_status ON audits (tenant_id, status, created_at, id)',
  'CREATE INDEX IF NOT EXISTS audits_of_site ON audits (tenant_id, canonical_url, created_at, id)',
  `CREATE TABLE IF NOT EXISTS audit_jobs (
    job_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    audit_id TEXT REFERENCES audits (id),
    kind TEXT NOT NULL DEFAULT 'audit',
    status TEXT NOT NULL DEFAULT 'queued'
      CHECK (status IN ('queued', 'running', 'done', 'failed', 'canceled')),
    attempt INTEGER NOT NULL DEFAULT 0,
    max_attempts INTEGER NOT NULL DEFAULT 3,
    queued_at INTEGER NOT NULL,
    run_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER,
    locked_until INTEGER,
    locked_by TEXT,
    lease_token INTEGER NOT NULL DEFAULT 0,
    priority INTEGER NOT NULL DEFAULT 0,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    event_seq INTEGER NOT NULL DEFAULT 0,
    idempotency_key TEXT NOT NULL CHECK (length(idempotency_key) <= 64),
    payload_json TEXT NOT NULL,
    last_error TEXT,
    ran_ms INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT audit_only_of_audits CHECK ((audit_id IS NOT NULL) = (kind = 'audit')),
    CONSTRAINT valid_timestamps CHECK (
      (started_at IS NULL OR started_at >= queued_at) AND (finished_at IS NULL OR finished_at >= started_at)
    ),
    CONSTRAINT leased_while_running CHECK (
      status <> 'running' OR (locked_until IS NOT NULL AND locked_by IS NOT NULL)
    )
  ) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS audit_jobs_queue
    ON audit_jobs (tenant_id, priority, queued_at, job_id) WHERE status = 'queued'`,
  // Without locked_until, which every heartbeat changes. There are few running jobs.
  `CREATE INDEX IF NOT EXISTS audit_jobs_running ON audit_jobs (tenant_id) WHERE status = 'running'`,
  // Every queued job is in one of these two indexes: by when it was queued, or by when it may run if that is later.
  `CREATE INDEX IF NOT EXISTS audit_jobs_undelayed
    ON audit_jobs (queued_at) WHERE status = 'queued' AND run_at <= queued_at`,
  `CREATE INDEX IF NOT EXISTS audit_jobs_delayed
    ON audit_jobs (run_at) WHERE status = 'queued' AND run_at > queued_at`,
  `CREATE UNIQUE INDEX IF NOT EXISTS audit_jobs_same_work
    ON audit_jobs (tenant_id, idempotency_key)
    WHERE status IN ('queued', 'running') AND substr(idempotency_key, 1, 16) <> '0000000000000000'`,
  // Every filter of a list of jobs is a set of ranges of this index.
  `CREATE INDEX IF NOT EXISTS audit_jobs_listed
    ON audit_jobs (tenant_id, kind, status, queued_at, job_id)`,
  `CREATE INDEX IF NOT EXISTS audit_jobs_of_audit
    ON audit_jobs (tenant_id, idempotency_key, finished_at) WHERE audit_id IS NOT NULL`,
  // Deleting an audit looks up its job.
  'CREATE INDEX IF NOT EXISTS audit_jobs_audit ON audit_jobs (audit_id) WHERE audit_id IS NOT NULL',
  `CREATE INDEX IF NOT EXISTS audit_jobs_ended
    ON audit_jobs (finished_at) WHERE status IN ('done', 'failed', 'canceled')`,
  `CREATE INDEX IF NOT EXISTS audit_jobs_last_try ON audit_jobs (run_at) WHERE ${SUSPECT}`,
  EVENTS_TABLE,
  `CREATE TABLE IF NOT EXISTS audit_job_steps (
    job_id TEXT NOT NULL REFERENCES audit_jobs (job_id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    result_json TEXT NOT NULL,
    lease_token INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (job_id, name)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS audit_parts (
    audit_id TEXT NOT NULL REFERENCES audits (id) ON DELETE CASCADE,
    part TEXT NOT NULL,
    piece INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (audit_id, part, piece)
  )`,
  `CREATE TABLE IF NOT EXISTS idempotency_keys (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    owner TEXT NOT NULL,
    new_id TEXT NOT NULL,
    locked_until INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    answer_status INTEGER,
    answer_location TEXT,
    answer_body TEXT,
    PRIMARY KEY (tenant_id, key)
  ) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS idempotency_keys_expiry ON idempotency_keys (expires_at)',
  `CREATE TABLE IF NOT EXISTS revoked_sessions (
    session_id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS revoked_sessions_expiry ON revoked_sessions (expires_at)',
  `CREATE TABLE IF NOT EXISTS webhooks (
    webhook_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    url TEXT NOT NULL,
    events_json TEXT NOT NULL,
    key_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_status TEXT,
    last_at INTEGER
  ) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS webhooks_of_tenant ON webhooks (tenant_id)',
  `CREATE TABLE IF NOT EXISTS webhook_deliveries (
    delivery_id TEXT PRIMARY KEY,
    webhook_id TEXT NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
    event_type TEXT NOT NULL,
    data_json TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'delivered', 'failed')),
    attempt INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  // Finds what is due by webhook, so that a claim reads no backlog of a tenant that has its share.
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_next
    ON webhook_deliveries (webhook_id, due_at) WHERE state = 'due'`,
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_fresh
    ON webhook_deliveries (webhook_id, due_at) WHERE state = 'due' AND attempt = 0`,
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'due'`,
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_ended ON webhook_deliveries (created_at) WHERE state <> 'due'`,
  'CREATE INDEX IF NOT EXISTS webhook_deliveries_of ON webhook_deliveries (webhook_id)',
  // The number of rows per tenant, maintained by the triggers below.
  `CREATE TABLE IF NOT EXISTS record_counts (
    tenant_id TEXT NOT NULL,
    name TEXT NOT NULL CHECK (name IN ('queued', 'running', 'idempotency_keys')),
    n INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, name)
  ) WITHOUT ROWID`,
  `CREATE TRIGGER IF NOT EXISTS new_job_is_counted AFTER INSERT ON audit_jobs
    BEGIN
      INSERT OR IGNORE INTO record_counts (tenant_id, name, n)
      VALUES (NEW.tenant_id, 'queued', 0), (NEW.tenant_id, 'running', 0);${COUNT_BY_STATUS('NEW', '+ 1')}
    END`,
  `CREATE TRIGGER IF NOT EXISTS changed_job_is_counted
    AFTER UPDATE OF status ON audit_jobs WHEN NEW.status <> OLD.status
    BEGIN${COUNT_BY_STATUS('OLD', '- 1')}${COUNT_BY_STATUS('NEW', '+ 1')}
    END`,
  `CREATE TRIGGER IF NOT EXISTS deleted_job_is_counted AFTER DELETE ON audit_jobs
    BEGIN${COUNT_BY_STATUS('OLD', '- 1')}
    END`,
  `CREATE TRIGGER IF NOT EXISTS new_key_is_counted AFTER INSERT ON idempotency_keys
    BEGIN
      INSERT INTO record_counts (tenant_id, name, n) VALUES (NEW.tenant_id, 'idempotency_keys', 1)
      ON CONFLICT (tenant_id, name) DO UPDATE SET n = n + 1;
    END`,
  `CREATE TRIGGER IF NOT EXISTS deleted_key_is_counted AFTER DELETE ON idempotency_keys
    BEGIN
      UPDATE record_counts SET n = n - 1 WHERE tenant_id = OLD.tenant_id AND name = 'idempotency_keys';
    END`,
  `CREATE TRIGGER IF NOT EXISTS audit_follows_its_job
    AFTER UPDATE OF status ON audit_jobs WHEN NEW.audit_id IS NOT NULL AND NEW.status <> OLD.status
    BEGIN
      UPDATE audits SET status = NEW.status, finished_at = NEW.finished_at WHERE id = NEW.audit_id;
    END`,
  `CREATE TRIGGER IF NOT EXISTS row_ends_with_its_job
    AFTER UPDATE OF status, cancel_requested ON audit_jobs
    WHEN NEW.kind IN (${COMPARE_RUNS.kinds.map((kind) => `'${kind}'`).join(', ')})
      AND (NEW.cancel_requested <> OLD.cancel_requested OR NEW.status <> OLD.status)
      AND (NEW.cancel_requested OR NEW.status IN ('done', 'failed', 'canceled'))
    BEGIN
      ${COMPARE_RUNS.ends.join(';\n      ')};
    END`,
  `CREATE TRIGGER IF NOT EXISTS ended_job_is_delivered
    AFTER UPDATE OF status ON audit_jobs
    WHEN NEW.status IN ('done', 'failed', 'canceled') AND NEW.status <> OLD.status
    BEGIN
      INSERT INTO webhook_deliveries (delivery_id, webhook_id, event_type, data_json, due_at, created_at)
      SELECT 'msg_' || lower(hex(randomblob(16))), w.webhook_id, NEW.kind || '.' || NEW.status,
        json_object('jobId', NEW.job_id, 'auditId', NEW.audit_id, 'kind', NEW.kind, 'status', NEW.status,
          'attempt', NEW.attempt, 'error', NEW.last_error),
        NEW.finished_at, NEW.finished_at
      FROM webhooks w, json_each(w.events_json) e
      WHERE w.tenant_id = NEW.tenant_id AND e.value = NEW.kind || '.' || NEW.status;
    END`,
];

export const RECORD_SCHEMA: Schema = { name: 'record', tables: TABLES, upgrades: [] };
