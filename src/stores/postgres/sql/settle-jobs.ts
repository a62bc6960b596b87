/**
 * SQL with which a worker ends its jobs or returns them to the queue, with their last events, under their leases. It
 * returns the accepted settlements. A repeated settlement of the same lease, whose first response was lost, counts as
 * accepted. Rows are locked in id order, as in renewing.
 */
import { pgStatement } from '../pg-database.js';

/**
 * `$1` jobs, `$2` tokens, `$3` statuses, `$4` attempts to subtract, `$5` delays in ms, `$6` errors, `$7` last event
 * numbers, `$8` whether there are steps; then the events: `$9` jobs, `$10` numbers, `$11` types, `$12` messages, `$13`
 * data, one per line, `$14` percentages, `$15` tokens. `$16` is how long each job ran, in ms. Arrays, because parsing JSON took a quarter of the time.
 */
export const SETTLE_JOBS = pgStatement('settle_jobs')`
WITH given AS MATERIALIZED (
  SELECT * FROM unnest(
    $1::uuid[], $2::bigint[], $3::text[], $4::int[], $5::float8[], $6::text[], $7::bigint[], $8::boolean[], $16::bigint[]
  ) AS g (id, token, status, back, delay, error, seq, steps, ran)
),
locked AS MATERIALIZED (
  SELECT g.* FROM given g
  JOIN audit_jobs j ON j.job_id = g.id AND j.lease_token = g.token AND j.status = 'running'
  ORDER BY j.job_id FOR UPDATE OF j
),
settled AS (
  UPDATE audit_jobs j
  SET status = CASE WHEN g.status = 'queued' AND j.cancel_requested THEN 'canceled' ELSE g.status END,
    finished_at = CASE
      WHEN g.status = 'queued' AND NOT j.cancel_requested THEN NULL
      ELSE greatest(now(), j.started_at)
    END,
    run_at = CASE WHEN g.status = 'queued' THEN steady_now() + g.delay * interval '1 millisecond' ELSE j.run_at END,
    attempt = j.attempt - g.back,
    last_error = coalesce(g.error, j.last_error),
    event_seq = greatest(j.event_seq, g.seq),
    ran_ms = j.ran_ms + g.ran,
    locked_until = NULL, locked_by = NULL
  FROM locked g WHERE j.job_id = g.id
  RETURNING j.job_id, j.lease_token, j.audit_id, j.status, g.steps, g.delay
),
events AS (
  INSERT INTO audit_progress_events (job_id, audit_id, seq, event_type, message, data_json, progress_pct)
  SELECT s.job_id, s.audit_id, e.seq, e.type, e.message, e.data::jsonb, e.pct
  FROM unnest(
    $9::uuid[], $10::bigint[], $11::text[], $12::text[], string_to_array($13::text, E'\\n', ''), $14::smallint[],
    $15::bigint[]
  )
    AS e (id, seq, type, message, data, pct, token)
  -- Joined by lease too: a worker may release two leases of one job at once, and only one of them counts.
  JOIN settled s ON s.job_id = e.id AND s.lease_token = e.token
  ON CONFLICT (job_id, seq) DO NOTHING
),
forgotten AS (
  DELETE FROM audit_job_steps st USING settled s
  WHERE s.steps AND s.status = 'done' AND st.job_id = s.job_id
),
hinted AS (
  SELECT pg_notify('sonde_jobs', 'ready') AS sent
  FROM (SELECT FROM settled WHERE status = 'queued' AND delay <= 0 LIMIT 1) returned
)
SELECT s.job_id, s.lease_token, (SELECT count(sent) FROM hinted) FROM settled s`;

/** `$1`: settlements that were not accepted. Returns those that the same lease had already made. */
export const FIND_SETTLED_JOBS = pgStatement('find_settled_jobs')`
SELECT j.job_id, j.lease_token
FROM json_to_recordset($1::json) AS g (id uuid, token bigint, status text)
JOIN audit_jobs j ON j.job_id = g.id AND j.lease_token = g.token
  AND (j.status = g.status OR (g.status = 'queued' AND j.status = 'canceled' AND j.cancel_requested))`;
