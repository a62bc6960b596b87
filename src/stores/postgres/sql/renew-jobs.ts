/**
 * SQL for the heartbeat. It renews leases, writes the jobs' events and returns which jobs to cancel. If a job is not in
 * the result, its lease is lost and nothing was written for it. Rows are locked in id order, as in settling, so that
 * the two cannot deadlock.
 */
import { pgStatement } from '../pg-database.js';

/** `$1` renewals as JSON, `$2` lease ms, `$3` events as JSON. */
export const RENEW_JOBS = pgStatement('renew_jobs')`
WITH locked AS MATERIALIZED (
  SELECT j.job_id, g.seq
  FROM json_to_recordset($1::json) AS g (id uuid, token bigint, seq bigint)
  JOIN audit_jobs j ON j.job_id = g.id AND j.lease_token = g.token AND j.status = 'running'
  ORDER BY j.job_id FOR UPDATE OF j
),
held AS (
  UPDATE audit_jobs j
  SET locked_until = steady_now() + $2::float8 * interval '1 millisecond',
    event_seq = greatest(j.event_seq, l.seq)
  FROM locked l WHERE j.job_id = l.job_id
  RETURNING j.job_id, j.lease_token, j.audit_id, j.cancel_requested
),
events AS (
  INSERT INTO audit_progress_events (job_id, audit_id, seq, event_type, message, data_json, progress_pct)
  SELECT h.job_id, h.audit_id, e.seq, e.type, e.message, e.data, e.pct
  FROM json_to_recordset($3::json) AS e (
    id uuid, token bigint, seq bigint, type text, message text, data jsonb, pct smallint
  )
  JOIN held h ON h.job_id = e.id AND h.lease_token = e.token
  ON CONFLICT (job_id, seq) DO NOTHING
)
SELECT job_id, lease_token, cancel_requested FROM held`;
