/** SQL for what users can do to a job: cancel it or retry it. */
import { pgStatement } from '../pg-database.js';
import { JOB_COLUMNS, PROGRESS } from './read-jobs.js';

/** `$1` tenant, `$2` job. A queued job ends at once; a running one is marked, and its worker is notified. */
export const CANCEL_JOB = pgStatement('cancel_job')`
WITH changed AS (
  UPDATE audit_jobs
  SET cancel_requested = true,
    status = CASE WHEN status = 'queued' THEN 'canceled' ELSE status END,
    finished_at = CASE WHEN status = 'queued' THEN greatest(now(), started_at) END,
    event_seq = event_seq + CASE WHEN status = 'queued' THEN 1 ELSE 0 END
  WHERE tenant_id = $1 AND job_id = $2 AND status IN ('queued', 'running')
  RETURNING job_id, audit_id, status, event_seq
),
events AS (
  INSERT INTO audit_progress_events (job_id, audit_id, seq, event_type, message, data_json)
  SELECT job_id, audit_id, event_seq, 'status_changed', status, jsonb_build_object('status', status)
  FROM changed WHERE status = 'canceled'
)
SELECT status, CASE WHEN status = 'running' THEN pg_notify('sonde_jobs', 'cancel ' || job_id) END FROM changed`;

/**
 * `$1` tenant, `$2` job. Fails on the unique index if another job with the same key was created in the meantime.
 * Returns the job as queued, because in a later read a worker may already have claimed it.
 */
export const RETRY_JOB = pgStatement('retry_job')`
WITH changed AS (
  UPDATE audit_jobs j
  SET status = 'queued', attempt = 0, cancel_requested = false, finished_at = NULL, run_at = steady_now(), ran_ms = 0,
    event_seq = event_seq + 1
  WHERE tenant_id = $1 AND job_id = $2 AND status IN ('failed', 'canceled')
    AND NOT EXISTS (
      SELECT FROM audit_jobs o WHERE o.tenant_id = j.tenant_id AND o.idempotency_key = j.idempotency_key
        AND o.status IN ('queued', 'running') AND left(o.idempotency_key, 16) <> '0000000000000000'
    )
  RETURNING ${JOB_COLUMNS}
),
events AS (
  INSERT INTO audit_progress_events (job_id, audit_id, seq, event_type, message, data_json)
  SELECT job_id, audit_id, event_seq, 'status_changed', 'queued', jsonb_build_object('status', 'queued')
  FROM changed
)
SELECT ${JOB_COLUMNS}, ${PROGRESS}, pg_notify('sonde_jobs', 'ready') FROM changed j`;

/** `$1` tenant, `$2` key. */
export const FIND_TWIN = pgStatement('find_twin')`SELECT job_id FROM audit_jobs
WHERE tenant_id = $1 AND idempotency_key = $2 AND status IN ('queued', 'running')
  AND left(idempotency_key, 16) <> '0000000000000000'`;
