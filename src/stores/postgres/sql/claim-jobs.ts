/**
 * Claims ready jobs, fairly across tenants: the tenant with the fewest running jobs comes first, then the one whose
 * turn it is. A tenant gets at most its share of the worker's places; one of which the worker holds no job is a guest,
 * for whom there are places of their own. Tenants with queued jobs are found by stepping through the index, starting after `$4`. A claim locks at
 * most an equal share of rows per tenant, and skips rows that another claim has locked.
 *
 * A claim is sent once, because a second one would take other rows. If its response is lost, `SELECT_HELD_JOBS` finds
 * the claimed jobs.
 */
import { LEASE_EXPIRED } from '../../../jobs/index.js';
import { type PgStatement, pgStatement } from '../pg-database.js';

/** A job to run alone, because it may be what kills its workers. Must match the index `audit_jobs_suspect`. */
const SUSPECT = `attempt + 1 >= max_attempts AND last_error = '${LEASE_EXPIRED}'`;

const READY = `status = 'queued' AND run_at <= steady_now() AND kind = ANY ($2::text[])`;

const RUNNABLE = `${READY} AND ($7::boolean OR last_error IS NULL OR NOT (${SUSPECT}))`;

/** The columns of a job `j` that its worker needs. */
const CLAIMED = `j.job_id, j.tenant_id, j.audit_id, j.kind, j.attempt, j.max_attempts, j.payload_json, j.lease_token,
  j.event_seq, j.ran_ms`;

const progressOf = (job: string) => `CASE WHEN ${job}.event_seq > 0 THEN (
  SELECT e.progress_pct FROM audit_progress_events e
  WHERE e.job_id = ${job}.job_id AND e.progress_pct IS NOT NULL ORDER BY e.seq DESC LIMIT 1
) END AS progress_pct`;

const take = (lease: string, worker: string) => `status = 'running', attempt = attempt + 1,
    lease_token = lease_token + 1, started_at = coalesce(started_at, greatest(now(), queued_at)),
    locked_until = steady_now() + ${lease}::float8 * interval '1 millisecond', locked_by = ${worker}`;

/**
 * `$1` limit, `$2` kinds, `$3` maximum running jobs per tenant, `$4` tenant served last, `$5` lease ms, `$6` worker,
 * `$7` whether to claim suspects too, `$8` how many jobs the worker holds by tenant, as JSON, `$9` how many of one tenant
 * it may hold, `$10` how many guests to claim in addition. Returns at least one row. `capped` and `suspects` are the same in every row; if
 * nothing was claimed, the other columns are null.
 */
export const CLAIM_JOBS: PgStatement = {
  ...pgStatement('claim_jobs')`
WITH RECURSIVE
ahead (tenant_id, n) AS (
  (SELECT tenant_id, 1 FROM audit_jobs WHERE status = 'queued' AND tenant_id > $4::uuid
    ORDER BY tenant_id LIMIT 1)
  UNION ALL
  SELECT next.tenant_id, a.n + 1
  FROM ahead a CROSS JOIN LATERAL (
    SELECT tenant_id FROM audit_jobs WHERE status = 'queued' AND tenant_id > a.tenant_id
    ORDER BY tenant_id LIMIT 1
  ) next
  WHERE a.n < 256
),
behind (tenant_id, n) AS (
  (SELECT tenant_id, 257 FROM audit_jobs WHERE status = 'queued' AND tenant_id <= $4::uuid
    ORDER BY tenant_id LIMIT 1)
  UNION ALL
  SELECT next.tenant_id, b.n + 1
  FROM behind b CROSS JOIN LATERAL (
    SELECT tenant_id FROM audit_jobs WHERE status = 'queued' AND tenant_id > b.tenant_id
      AND tenant_id <= $4::uuid
    ORDER BY tenant_id LIMIT 1
  ) next
  WHERE b.n < 513
),
runnable AS MATERIALIZED (
  SELECT turns.tenant_id, turns.n AS turn, t.slug, load.running,
    least(quota.max - load.running, $1::int, $9::int - here.held) AS room,
    ($10::int > 0 AND here.held = 0 AND load.running < quota.max) AS guest
  FROM (SELECT tenant_id, n FROM ahead UNION ALL SELECT tenant_id, n FROM behind ORDER BY n LIMIT 256) turns
  JOIN tenants t ON t.id = turns.tenant_id
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS running FROM audit_jobs WHERE status = 'running' AND tenant_id = turns.tenant_id
  ) load
  CROSS JOIN LATERAL (SELECT coalesce((t.quotas_json ->> 'jobsRunning')::int, $3::int) AS max) quota
  CROSS JOIN LATERAL (SELECT coalesce(($8::jsonb ->> turns.tenant_id::text)::int, 0) AS held) here
  -- Not EXISTS, which the planner may evaluate by reading every ready row of every tenant.
  CROSS JOIN LATERAL (
    SELECT FROM audit_jobs WHERE tenant_id = turns.tenant_id AND ${RUNNABLE} LIMIT 1
  ) any_job
),
share AS MATERIALIZED (
  SELECT ceil($1::numeric / greatest(count(*), 1))::int AS each FROM runnable WHERE room > 0
),
picked AS MATERIALIZED (
  SELECT ready.job_id, r.slug, r.turn, r.running, r.guest, ready.priority, ready.queued_at
  FROM runnable r CROSS JOIN LATERAL (
    SELECT job_id, priority, queued_at FROM audit_jobs
    WHERE tenant_id = r.tenant_id AND ${RUNNABLE}
    ORDER BY priority, queued_at, job_id
    LIMIT greatest(least((SELECT each FROM share), r.room), r.guest::int)
    FOR UPDATE SKIP LOCKED
  ) ready
  WHERE r.room > 0 OR r.guest
),
chosen AS MATERIALIZED (
  SELECT job_id, slug, place
  FROM (
    SELECT job_id, slug, place, guest, row_number() OVER (PARTITION BY place > $1::int, guest ORDER BY place) AS nth
    FROM (
      SELECT job_id, slug, guest AND own = 1 AS guest, row_number() OVER (ORDER BY running + own, turn) AS place
      FROM (
        SELECT job_id, slug, turn, running, guest,
          row_number() OVER (PARTITION BY turn ORDER BY priority, queued_at, job_id) AS own
        FROM picked
      ) owned
    ) placed
  ) numbered
  WHERE place <= $1::int OR (guest AND nth <= $10::int)
  -- Never fewer, but the planner needs to know how few rows there are.
  ORDER BY place LIMIT $1::int + $10::int
),
claimed AS (
  UPDATE audit_jobs j
  SET ${take('$5', '$6')}
  FROM chosen c WHERE j.job_id = c.job_id
  RETURNING ${CLAIMED}, c.slug, c.place
)
SELECT cap.capped, (SELECT EXISTS (SELECT FROM audit_jobs WHERE ${READY} AND ${SUSPECT})) AS suspects, c.*,
  ${progressOf('c')}
FROM (SELECT coalesce(bool_or(room < greatest($1::int, 1)), false) AS capped FROM runnable) cap LEFT JOIN claimed c ON true
ORDER BY c.place`,
  once: true,
};

/** `$1` lease ms, `$2` kinds, `$3` worker. Claims one suspect, regardless of its tenant's limit of running jobs. */
export const CLAIM_SUSPECT: PgStatement = {
  ...pgStatement('claim_suspect')`
WITH chosen AS MATERIALIZED (
  SELECT job_id FROM audit_jobs WHERE ${READY} AND ${SUSPECT} ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED
),
claimed AS (
  UPDATE audit_jobs j SET ${take('$1', '$3')} FROM chosen c WHERE j.job_id = c.job_id RETURNING ${CLAIMED}
)
SELECT c.*, t.slug, ${progressOf('c')} FROM claimed c JOIN tenants t ON t.id = c.tenant_id`,
  once: true,
};

/** `$1` worker. */
export const SELECT_HELD_JOBS = pgStatement('select_held_jobs')`
SELECT ${CLAIMED}, t.slug, ${progressOf('j')}
FROM audit_jobs j JOIN tenants t ON t.id = j.tenant_id
WHERE j.status = 'running' AND j.locked_by = $1`;
