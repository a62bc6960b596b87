/**
 * Queues the job of a comparison or suite in the transaction that creates its row, so that neither exists without the
 * other. The job's id is new, so it can have no twin.
 */
import type { RunJob } from '../../compare/index.js';
import { query, type SqlWork, statement } from './sql-work.js';

export function* insertRunJob(job: RunJob, now: number): SqlWork<void> {
  yield* query(INSERT_RUN_JOB, [JSON.stringify(job), now]);
}

/** False if the job has ended. Otherwise it cannot end before the transaction. */
export function* lockOpenJob(jobId: string): SqlWork<boolean> {
  return (yield* query(LOCK_OPEN_JOB, [jobId])).length > 0;
}

/** Parameters: the job as JSON, and the time. */
export const INSERT_RUN_JOB = {
  ...statement('insert_run_job')`WITH inserted AS (
      INSERT INTO audit_jobs (job_id, tenant_id, kind, max_attempts, run_at, idempotency_key, payload_json)
      SELECT "jobId", "tenantId", kind, "maxAttempts", CASE
          WHEN abs(extract(epoch FROM now())::float8 * 1000 - ms) < 1000 THEN now() ELSE to_timestamp(ms / 1000)
        END, "idempotencyKey", payload
      FROM json_to_record(?::json) AS j (
        "jobId" uuid, "tenantId" uuid, kind text, "maxAttempts" int, "idempotencyKey" text, payload jsonb
      ), CAST(? AS float8) AS ms
      RETURNING 1
    ) SELECT pg_notify('sonde_jobs', 'ready') FROM inserted`,
  sqlite: `INSERT INTO audit_jobs (
      job_id, tenant_id, kind, max_attempts, queued_at, run_at, idempotency_key, payload_json
    ) SELECT j ->> 'jobId', j ->> 'tenantId', j ->> 'kind', j ->> 'maxAttempts', now, now, j ->> 'idempotencyKey',
      j -> 'payload' FROM (SELECT ? AS j, ? AS now)`,
};

/** Only `FOR SHARE` waits for a change of the status. */
export const LOCK_OPEN_JOB = {
  ...statement('lock_open_job')`SELECT job_id FROM audit_jobs
    WHERE job_id = ?::uuid AND status IN ('queued', 'running') FOR SHARE`,
  sqlite: "SELECT job_id FROM audit_jobs WHERE job_id = ? AND status IN ('queued', 'running')",
};
