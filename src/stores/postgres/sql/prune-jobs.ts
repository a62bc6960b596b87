/**
 * SQL that deletes ended jobs, oldest first, with everything that belongs to them. Several processes may run it
 * concurrently. Rows are selected by an array, because PostgreSQL plans a join with a subquery of unknown LIMIT for a
 * tenth of the table.
 */
import { pgStatement } from '../pg-database.js';

/** `$1` older than this, in ms, `$2` limit. */
const OLD = `SELECT job_id FROM audit_jobs
  WHERE status IN ('done', 'failed', 'canceled')
    AND finished_at < now() - $1::float8 * interval '1 millisecond'
  ORDER BY finished_at LIMIT $2::int`;

/** `$3` maximum number of events. Events go first, so that deleting a job with many of them stays fast. */
export const PRUNE_EVENTS = pgStatement('prune_events')`
WITH old AS MATERIALIZED (${OLD}),
doomed AS MATERIALIZED (
  SELECT e.event_id FROM old CROSS JOIN LATERAL (
    SELECT event_id FROM audit_progress_events WHERE job_id = old.job_id LIMIT $3::int
  ) e LIMIT $3::int
)
DELETE FROM audit_progress_events WHERE event_id = ANY (ARRAY(SELECT event_id FROM doomed)) RETURNING event_id`;

/** Deletes the jobs, with their remaining events and their steps. */
export const PRUNE_JOBS = pgStatement('prune_jobs')`
WITH old AS MATERIALIZED (${OLD} FOR UPDATE SKIP LOCKED),
events AS (DELETE FROM audit_progress_events WHERE job_id = ANY (ARRAY(SELECT job_id FROM old)))
DELETE FROM audit_jobs WHERE job_id = ANY (ARRAY(SELECT job_id FROM old)) RETURNING job_id, audit_id`;

/** `$1` tenant, `$2` job. */
export const REMOVE_JOB = pgStatement('remove_job')`
WITH ended AS MATERIALIZED (
  SELECT job_id FROM audit_jobs
  WHERE tenant_id = $1 AND job_id = $2 AND status IN ('done', 'failed', 'canceled') FOR UPDATE
),
events AS (DELETE FROM audit_progress_events WHERE job_id = ANY (ARRAY(SELECT job_id FROM ended)))
DELETE FROM audit_jobs WHERE job_id = ANY (ARRAY(SELECT job_id FROM ended)) RETURNING job_id, audit_id`;

/** `$1` ids. Deletes their records too. */
export const DELETE_AUDITS = pgStatement('delete_audits')`DELETE FROM audits WHERE id = ANY ($1::uuid[])`;
