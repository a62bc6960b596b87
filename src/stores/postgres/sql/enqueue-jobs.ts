/** SQL that queues jobs together with their audits. Existing jobs are left unchanged. */
import { pgStatement } from '../pg-database.js';

/** `$1`: the jobs as JSON. Returns how many were created, and notifies listening workers once. */
export const ENQUEUE_JOBS = pgStatement('enqueue_jobs')`
WITH given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g (
    id uuid, tenant uuid, kind text, payload jsonb, key text, attempts int, priority smallint, delay float8,
    audit uuid, url text, canonical text, options jsonb, recipe text
  )
),
inserted AS (
  INSERT INTO audit_jobs (
    job_id, tenant_id, audit_id, kind, max_attempts, run_at, priority, idempotency_key, payload_json
  )
  SELECT id, tenant, audit, kind, attempts, steady_now() + delay * interval '1 millisecond', priority, key, payload
  FROM given
  ON CONFLICT DO NOTHING
  RETURNING job_id
),
audited AS (
  INSERT INTO audits (id, tenant_id, url, canonical_url, options_json, recipe_version)
  SELECT g.audit, g.tenant, g.url, g.canonical, g.options, g.recipe
  FROM given g JOIN inserted i ON i.job_id = g.id WHERE g.audit IS NOT NULL
  ON CONFLICT DO NOTHING
),
made AS (SELECT count(*)::int AS n FROM inserted)
SELECT n, CASE WHEN n > 0 THEN pg_notify('sonde_jobs', 'ready') END FROM made`;

/**
 * Inserts many jobs that differ only in id, key and payload; fails for all of them if one exists. `$1` tenant, `$2`
 * kind, `$3` attempts, `$4` priority, `$5` delay in ms; then per job `$6` id, `$7` key, `$8` payload, one per line.
 */
export const ENQUEUE_ALIKE_JOBS = pgStatement('enqueue_alike_jobs')`
WITH inserted AS (
  INSERT INTO audit_jobs (job_id, tenant_id, kind, max_attempts, run_at, priority, idempotency_key, payload_json)
  SELECT g.id, $1::uuid, $2::text, $3::int, steady_now() + $5::float8 * interval '1 millisecond', $4::smallint, g.key,
    g.payload::jsonb
  FROM unnest($6::uuid[], $7::text[], string_to_array($8::text, E'\\n', '')) AS g (id, key, payload)
  RETURNING 1
),
made AS (SELECT count(*)::int AS n FROM inserted)
SELECT n, CASE WHEN n > 0 THEN pg_notify('sonde_jobs', 'ready') END FROM made`;

/** `$1`: jobs as above, some of which exist. Returns the existing row for each. */
export const FIND_SAME_JOBS = pgStatement('find_same_jobs')`
SELECT g.id, there.job_id, there.audit_id
FROM json_to_recordset($1::json) AS g (id uuid, tenant uuid, key text)
CROSS JOIN LATERAL (
  SELECT job_id, audit_id FROM audit_jobs
  WHERE tenant_id = g.tenant
    AND (job_id = g.id OR (
      idempotency_key = g.key AND status IN ('queued', 'running')
      AND left(idempotency_key, 16) <> '0000000000000000'
    ))
  ORDER BY job_id = g.id DESC LIMIT 1
) there`;

/** `$1` tenant, `$2` key, `$3` maximum age in ms. */
export const FIND_RECENTLY_DONE = pgStatement('find_recently_done')`
SELECT job_id, audit_id FROM audit_jobs
WHERE tenant_id = $1 AND idempotency_key = $2 AND status = 'done' AND audit_id IS NOT NULL
  AND finished_at >= now() - $3::float8 * interval '1 millisecond'
ORDER BY finished_at DESC LIMIT 1`;
