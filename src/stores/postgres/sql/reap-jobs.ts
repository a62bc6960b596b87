/**
 * Expired leases: back to the queue after a wait with full jitter, or to their end when a cancel was asked for
 * or no attempts are left. Several may reap at once; each takes rows that no other has.
 */
import type { PgStatement } from '../pg-database.js';

/** `$1` limit, `$2` first wait ms, `$3` longest wait ms, `$4` a fraction for each row. */
export const REAP_JOBS: PgStatement = {
  name: 'reap_jobs',
  text: `
WITH expired AS MATERIALIZED (
  SELECT job_id FROM audit_jobs WHERE status = 'running' AND locked_until <= now()
  LIMIT $1::int FOR UPDATE SKIP LOCKED
),
judged AS MATERIALIZED (
  SELECT j.job_id,
    CASE WHEN j.cancel_requested THEN 'canceled' WHEN j.attempt < j.max_attempts THEN 'queued' ELSE 'failed' END
      AS status,
    least($3::float8, $2::float8 * 2 ^ least(j.attempt - 1, 40)) * ($4::float8[])[row_number() OVER ()]
      AS wait_ms
  FROM audit_jobs j JOIN expired USING (job_id)
),
reaped AS (
  UPDATE audit_jobs j
  SET status = v.status,
    run_at = CASE WHEN v.status = 'queued' THEN now() + v.wait_ms * interval '1 millisecond' ELSE j.run_at END,
    finished_at = CASE WHEN v.status = 'queued' THEN NULL ELSE greatest(now(), j.started_at) END,
    last_error = 'the lease expired: its worker died or lost the store'
      || CASE WHEN v.status = 'failed' THEN '; no attempts are left' ELSE '' END,
    event_seq = j.event_seq + 1, locked_until = NULL, locked_by = NULL
  FROM judged v WHERE j.job_id = v.job_id
  RETURNING j.job_id, j.tenant_id, j.audit_id, j.lease_token, j.kind, j.status, j.event_seq, j.last_error
),
told AS (
  INSERT INTO audit_progress_events (job_id, audit_id, seq, event_type, message, data_json)
  SELECT job_id, audit_id, event_seq, 'status_changed', status,
    jsonb_build_object('status', status, 'error', last_error)
  FROM reaped
)
SELECT tenant_id, job_id, lease_token, kind, status FROM reaped`,
};
