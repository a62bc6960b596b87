/** Queues jobs. A second job with the same key is not created, and a repeated insert finds the existing job. */
import type { Enqueued, NewJob } from '../../jobs/index.js';
import { textOrNull } from '../portable/sql-work.js';
import type { SqlDatabase, SqlRow } from './sql-database.js';

export function enqueueJob(database: SqlDatabase, job: NewJob, now: number): Enqueued {
  const existing = findSame(database, job, now);
  if (existing) {
    const jobId = String(existing['job_id']);
    // A job with the given id was created by an earlier attempt of this call.
    return { jobId, auditId: textOrNull(existing['audit_id']), created: jobId === job.jobId };
  }
  const { audit } = job;
  if (audit) {
    database.run(INSERT_AUDIT, [
      audit.auditId,
      job.tenantId,
      audit.url,
      audit.canonicalUrl,
      JSON.stringify(audit.options ?? {}),
      audit.recipeVersion,
      now,
    ]);
  }
  database.run(INSERT_JOB, [
    job.jobId,
    job.tenantId,
    audit?.auditId ?? null,
    job.kind,
    job.maxAttempts,
    now,
    now + (job.delayMs ?? 0),
    job.priority ?? 0,
    job.idempotencyKey,
    JSON.stringify(job.payload ?? null),
  ]);
  return { jobId: job.jobId, auditId: audit?.auditId ?? null, created: true };
}

function findSame(database: SqlDatabase, job: NewJob, now: number): SqlRow | undefined {
  const { jobId, tenantId, idempotencyKey, audit } = job;
  const [same] = database.all(SELECT_SAME_ID, [jobId, tenantId]);
  if (same) return same;
  const [active] = database.all(SELECT_ACTIVE, [tenantId, idempotencyKey]);
  if (active || !audit?.reuseMs) return active;
  return database.all(SELECT_RECENTLY_DONE, [tenantId, idempotencyKey, now - audit.reuseMs])[0];
}

const SELECT_SAME_ID = 'SELECT job_id, audit_id FROM audit_jobs WHERE job_id = ? AND tenant_id = ?';

const SELECT_ACTIVE = `SELECT job_id, audit_id FROM audit_jobs
  WHERE tenant_id = ? AND idempotency_key = ? AND status IN ('queued', 'running')
    AND substr(idempotency_key, 1, 16) <> '0000000000000000'`;

const SELECT_RECENTLY_DONE = `SELECT job_id, audit_id FROM audit_jobs
  WHERE tenant_id = ? AND idempotency_key = ? AND finished_at >= ? AND audit_id IS NOT NULL AND status = 'done'
  ORDER BY finished_at DESC LIMIT 1`;

const INSERT_AUDIT = `INSERT INTO audits (
  id, tenant_id, url, canonical_url, options_json, recipe_version, created_at
) VALUES (?, ?, ?, ?, ?, ?, ?)`;

const INSERT_JOB = `INSERT INTO audit_jobs (
  job_id, tenant_id, audit_id, kind, max_attempts, queued_at, run_at, priority, idempotency_key, payload_json
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
