/** Reading jobs and their events; always of one tenant. */
import type { PgStatement } from '../pg-database.js';

/** All that `job-row.ts` reads. */
export const JOB_COLUMNS = `j.job_id, j.tenant_id, j.audit_id, j.kind, j.status, j.attempt, j.max_attempts, j.queued_at, j.run_at,
  j.started_at, j.finished_at, j.locked_until, j.locked_by, j.idempotency_key, j.payload_json, j.last_error,
  j.priority, j.lease_token, j.cancel_requested, j.event_seq`;

export const PROGRESS = `(
  SELECT e.progress_pct FROM audit_progress_events e
  WHERE e.job_id = j.job_id AND e.progress_pct IS NOT NULL ORDER BY e.seq DESC LIMIT 1
) AS progress_pct`;

/** `$1` tenant, `$2` job. */
export const SELECT_JOB: PgStatement = {
  name: 'select_job',
  text: `SELECT ${JOB_COLUMNS}, ${PROGRESS} FROM audit_jobs j WHERE j.tenant_id = $1 AND j.job_id = $2`,
};

/** `$1` tenant, `$2` kinds, `$3` status or null, `$4` and `$5` the job to go on behind or null, `$6` limit. */
export const SELECT_JOBS: PgStatement = {
  name: 'select_jobs',
  text: `
SELECT ${JOB_COLUMNS}, ${PROGRESS} FROM audit_jobs j
WHERE j.tenant_id = $1 AND j.kind = ANY ($2::text[]) AND ($3::text IS NULL OR j.status = $3)
  AND ($4::float8 IS NULL OR (j.queued_at, j.job_id) < (to_timestamp($4::float8 / 1000), $5::uuid))
ORDER BY j.queued_at DESC, j.job_id DESC LIMIT $6::int`,
};

/** `$1` tenant, `$2` job, `$3` behind this number, `$4` limit. */
export const SELECT_EVENTS: PgStatement = {
  name: 'select_events',
  text: `
SELECT e.event_id, e.job_id, e.audit_id, e.seq, e.event_type, e.message, e.data_json, e.progress_pct,
  e.created_at FROM audit_jobs j JOIN audit_progress_events e ON e.job_id = j.job_id
WHERE j.tenant_id = $1 AND j.job_id = $2 AND e.seq > $3::bigint ORDER BY e.seq LIMIT $4::int`,
};

/** `$1` tenant, `$2` limit of the newest, and of the running. */
export const GLANCE_AT_JOBS: PgStatement = {
  name: 'glance_at_jobs',
  text: `
WITH newest AS (
  SELECT job_id, audit_id, kind, status, event_seq FROM audit_jobs
  WHERE tenant_id = $1 ORDER BY queued_at DESC, job_id DESC LIMIT $2::int
),
running AS (
  SELECT job_id, audit_id, kind, status, event_seq FROM audit_jobs
  WHERE tenant_id = $1 AND status = 'running' LIMIT $2::int
)
SELECT * FROM newest UNION SELECT * FROM running`,
};

/** `$1` tenant. */
export const COUNT_JOBS: PgStatement = {
  name: 'count_jobs',
  text: `
SELECT
  (SELECT count(*) FROM audit_jobs WHERE status = 'queued' AND tenant_id = $1) AS queued,
  (SELECT count(*) FROM audit_jobs WHERE status = 'running' AND tenant_id = $1) AS running`,
};

/** `$1` older than this, in ms, `$2` limit. Events and steps go with their jobs. */
export const PRUNE_JOBS: PgStatement = {
  name: 'prune_jobs',
  text: `
WITH old AS (
  SELECT job_id FROM audit_jobs
  WHERE status IN ('done', 'failed', 'canceled')
    AND finished_at < now() - $1::float8 * interval '1 millisecond'
  LIMIT $2::int FOR UPDATE SKIP LOCKED
),
events AS (DELETE FROM audit_progress_events e USING old WHERE e.job_id = old.job_id)
DELETE FROM audit_jobs j USING old WHERE j.job_id = old.job_id RETURNING j.job_id, j.audit_id`,
};

/** `$1` ids. Their records go with them. */
export const DELETE_AUDITS: PgStatement = {
  name: 'delete_audits',
  text: 'DELETE FROM audits WHERE id = ANY ($1::uuid[])',
};

/** Of all tenants. */
export const JOB_OVERVIEW: PgStatement = {
  name: 'job_overview',
  text: `
SELECT
  (SELECT count(*) FROM audit_jobs WHERE status = 'queued') AS queued,
  (SELECT count(*) FROM audit_jobs WHERE status = 'running') AS running,
  (SELECT extract(epoch FROM now() - min(run_at)) * 1000 FROM audit_jobs
    WHERE status = 'queued' AND run_at <= now()) AS ready_ms`,
};

/** `$1` limit. */
export const JOB_WORKERS: PgStatement = {
  name: 'job_workers',
  text: `
SELECT locked_by, count(*) AS jobs, max(locked_until) AS lease_until, min(started_at) AS started_at
FROM audit_jobs WHERE status = 'running' GROUP BY locked_by ORDER BY locked_by LIMIT $1::int`,
};
