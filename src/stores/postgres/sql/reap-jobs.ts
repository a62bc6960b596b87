/**
 * SQL for jobs with expired leases. They return to the queue after a delay with full jitter, or end if a cancel was
 * requested or no attempts are left. Several processes may reap concurrently; each takes different rows. Decisions use
 * the locked rows, which a cancel may have changed since the statement began.
 */
import { LEASE_EXPIRED } from '../../../jobs/index.js';
import { pgStatement } from '../pg-database.js';
import { DELAYED, UNDELAYED } from './read-jobs.js';

/**
 * Corrects times that are too far in the future, of the queued jobs that are furthest ahead and of all running ones.
 * `$1` longest delay, `$2` longest lease, in ms.
 */
export const PULL_BACK_JOBS = pgStatement('pull_back_jobs')`
WITH looked_at AS MATERIALIZED (
  (SELECT job_id FROM audit_jobs WHERE ${UNDELAYED} AND queued_at > greatest(now(), steady_now()) + interval '1 second'
    ORDER BY queued_at DESC LIMIT 1000)
  UNION ALL
  (SELECT job_id FROM audit_jobs WHERE ${DELAYED} AND run_at > steady_now() ORDER BY run_at DESC LIMIT 1000)
  UNION ALL
  SELECT job_id FROM audit_jobs WHERE status = 'running'
),
ahead AS MATERIALIZED (
  SELECT job_id FROM audit_jobs
  WHERE job_id = ANY (ARRAY(SELECT job_id FROM looked_at)) AND (
    (status = 'queued' AND run_at > steady_now() AND (queued_at > greatest(now(), steady_now()) + interval '1 second'
      OR run_at > steady_now() + $1::float8 * interval '1 millisecond'))
    OR (status = 'running' AND locked_until > steady_now() + $2::float8 * interval '1 millisecond')
  )
  FOR UPDATE SKIP LOCKED
)
UPDATE audit_jobs j
SET run_at = CASE WHEN j.status = 'queued' THEN steady_now() ELSE j.run_at END,
  locked_until = CASE WHEN j.status = 'running' THEN steady_now() END
FROM ahead WHERE j.job_id = ahead.job_id RETURNING j.job_id`;

/** `$1` limit, `$2` first delay in ms, `$3` longest delay in ms, `$4` a random fraction for each row. */
export const REAP_JOBS = pgStatement('reap_jobs')`
WITH expired AS MATERIALIZED (
  SELECT job_id, cancel_requested, attempt, max_attempts, last_error FROM audit_jobs
  WHERE status = 'running' AND locked_until <= steady_now()
  LIMIT $1::int FOR UPDATE SKIP LOCKED
),
judged AS MATERIALIZED (
  SELECT job_id,
    CASE WHEN cancel_requested THEN 'canceled' WHEN attempt < max_attempts THEN 'queued'
      -- A job whose lease expired before has run alone. Any other may have died because of another job: retry it alone.
      WHEN last_error = '${LEASE_EXPIRED}' THEN 'failed' ELSE 'queued' END AS status,
    least(attempt, greatest(max_attempts - 1, 0)) AS attempt_if_queued,
    least($3::float8, $2::float8 * 2 ^ least(attempt - 1, 40)) * ($4::float8[])[row_number() OVER ()]
      AS wait_ms
  FROM expired
),
reaped AS (
  UPDATE audit_jobs j
  SET status = v.status,
    attempt = CASE WHEN v.status = 'queued' THEN v.attempt_if_queued ELSE j.attempt END,
    run_at = CASE WHEN v.status = 'queued' THEN steady_now() + v.wait_ms * interval '1 millisecond' ELSE j.run_at END,
    finished_at = CASE WHEN v.status = 'queued' THEN NULL ELSE greatest(now(), j.started_at) END,
    last_error = '${LEASE_EXPIRED}'
      || CASE WHEN v.status = 'failed' THEN '; no attempts are left' ELSE '' END,
    event_seq = j.event_seq + 1, locked_until = NULL, locked_by = NULL
  FROM judged v WHERE j.job_id = v.job_id
  RETURNING j.job_id, j.tenant_id, j.audit_id, j.lease_token, j.kind, j.status, j.event_seq, j.last_error
),
events AS (
  INSERT INTO audit_progress_events (job_id, audit_id, seq, event_type, message, data_json)
  SELECT job_id, audit_id, event_seq, 'status_changed', status,
    jsonb_build_object('status', status, 'error', last_error)
  FROM reaped
)
SELECT tenant_id, job_id, lease_token, kind, status FROM reaped`;
