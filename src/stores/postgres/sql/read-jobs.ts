/** SQL that reads jobs and their events. All but the overview are limited to one tenant. */
import { type PgStatement, pgStatement } from '../pg-database.js';

/** The columns that `record-rows.ts` reads. */
export const JOB_COLUMNS = `j.job_id, j.tenant_id, j.audit_id, j.kind, j.status, j.attempt, j.max_attempts, j.queued_at, j.run_at,
  j.started_at, j.finished_at, j.locked_until, j.locked_by, j.idempotency_key, j.payload_json, j.last_error,
  j.priority, j.lease_token, j.cancel_requested, j.event_seq`;

export const PROGRESS = `(
  SELECT e.progress_pct FROM audit_progress_events e
  WHERE e.job_id = j.job_id AND e.progress_pct IS NOT NULL ORDER BY e.seq DESC LIMIT 1
) AS progress_pct`;

/** Queued jobs that could run at once; must match the index `audit_jobs_undelayed`. */
export const UNDELAYED = `status = 'queued' AND run_at - queued_at < interval '1 millisecond'`;
/** Delayed or retried jobs; must match the index `audit_jobs_delayed`. */
export const DELAYED = `status = 'queued' AND run_at - queued_at >= interval '1 millisecond'`;

/** `$1` tenant, `$2` job. */
export const SELECT_JOB = pgStatement('select_job')`
  SELECT ${JOB_COLUMNS}, ${PROGRESS} FROM audit_jobs j WHERE j.tenant_id = $1 AND j.job_id = $2`;

/**
 * A page is merged from ranges of one index, one per kind and status. So its cost depends neither on the number of jobs
 * nor on how many of them match.
 */
const page = (after: string) => `
WITH page AS MATERIALIZED (
  SELECT r.job_id
  FROM unnest($2::text[]) k (kind) CROSS JOIN unnest($3::text[]) s (status) CROSS JOIN LATERAL (
    SELECT queued_at, job_id FROM audit_jobs
    WHERE tenant_id = $1 AND kind = k.kind AND status = s.status ${after}
    ORDER BY queued_at DESC, job_id DESC LIMIT $4::int
  ) r
  ORDER BY r.queued_at DESC, r.job_id DESC LIMIT $4::int
)
SELECT ${JOB_COLUMNS}, ${PROGRESS} FROM page p JOIN audit_jobs j ON j.job_id = p.job_id
ORDER BY j.queued_at DESC, j.job_id DESC`;

/** `$1` tenant, `$2` kinds, `$3` statuses, `$4` limit. */
export const SELECT_JOBS: PgStatement = { name: 'select_jobs', text: page('') };

/** As above, and `$5` and `$6`, the job to continue after. */
export const SELECT_JOBS_AFTER: PgStatement = {
  name: 'select_jobs_after',
  text: page('AND (queued_at, job_id) < (to_timestamp($5::float8 / 1000), $6::uuid)'),
};

/** `$1` tenant, `$2` job, `$3` number to continue after, `$4` limit. */
export const SELECT_EVENTS = pgStatement('select_events')`
SELECT e.event_id, e.job_id, e.audit_id, e.seq, e.event_type, e.message, e.data_json, e.progress_pct,
  e.created_at FROM audit_jobs j JOIN audit_progress_events e ON e.job_id = j.job_id
WHERE j.tenant_id = $1 AND j.job_id = $2 AND e.seq > $3::bigint ORDER BY e.seq LIMIT $4::int`;

/** `$1` tenant, `$2` limit, which applies to the newest and to the running jobs. */
export const SELECT_JOB_GLANCES = pgStatement('glance_at_jobs')`
WITH newest AS (
  SELECT job_id, audit_id, kind, status, event_seq FROM audit_jobs
  WHERE tenant_id = $1 ORDER BY queued_at DESC, job_id DESC LIMIT $2::int
),
running AS (
  SELECT job_id, audit_id, kind, status, event_seq FROM audit_jobs
  WHERE tenant_id = $1 AND status = 'running' LIMIT $2::int
)
SELECT * FROM newest UNION SELECT * FROM running`;

/** `$1` tenant. */
export const COUNT_JOBS = pgStatement('count_jobs')`
SELECT coalesce(sum(n) FILTER (WHERE name = 'queued'), 0) AS queued,
  coalesce(sum(n) FILTER (WHERE name = 'running'), 0) AS running
FROM record_counts WHERE tenant_id = $1 AND name IN ('queued', 'running')`;

/** Covers all tenants. */
export const JOB_OVERVIEW = pgStatement('job_overview')`
SELECT
  (SELECT coalesce(sum(n), 0) FROM record_counts WHERE name = 'queued') AS queued,
  (SELECT coalesce(sum(n), 0) FROM record_counts WHERE name = 'running') AS running,
  (SELECT extract(epoch FROM steady_now() - min(run_at)) * 1000 FROM (
    (SELECT run_at FROM audit_jobs WHERE ${UNDELAYED} ORDER BY queued_at LIMIT 1)
    UNION ALL
    (SELECT run_at FROM audit_jobs WHERE ${DELAYED} ORDER BY run_at LIMIT 1)
  ) oldest WHERE run_at <= steady_now()) AS ready_ms`;

/** `$1` limit. */
export const JOB_WORKERS = pgStatement('job_workers')`
SELECT locked_by, count(*) AS jobs, max(locked_until) AS lease_until, min(started_at) AS started_at
FROM audit_jobs WHERE status = 'running' GROUP BY locked_by ORDER BY locked_by LIMIT $1::int`;
