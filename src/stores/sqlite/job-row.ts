/** Maps rows of the job tables to the port's types. */
import type { ClaimedJob, Job, JobEvent, JobGlance, JobKind, JobStatus } from '../../jobs/index.js';
import type { SqlRow } from './sql-database.js';
import { numberOrNull, textOrNull } from './sql-values.js';

/** The progress of a job, from its last event with a percentage. */
export const PROGRESS = `(SELECT e.progress_pct FROM audit_progress_events e
  WHERE e.job_id = j.job_id AND e.progress_pct IS NOT NULL ORDER BY e.seq DESC LIMIT 1) AS progress_pct`;

export function jobOf(row: SqlRow): Job {
  return {
    jobId: String(row['job_id']),
    tenantId: String(row['tenant_id']),
    auditId: textOrNull(row['audit_id']),
    kind: row['kind'] as JobKind,
    status: row['status'] as JobStatus,
    attempt: Number(row['attempt']),
    maxAttempts: Number(row['max_attempts']),
    queuedAt: Number(row['queued_at']),
    runAt: Number(row['run_at']),
    startedAt: numberOrNull(row['started_at']),
    finishedAt: numberOrNull(row['finished_at']),
    lockedUntil: numberOrNull(row['locked_until']),
    lockedBy: textOrNull(row['locked_by']),
    idempotencyKey: String(row['idempotency_key']),
    payload: JSON.parse(String(row['payload_json'])),
    lastError: textOrNull(row['last_error']),
    priority: Number(row['priority']),
    leaseToken: Number(row['lease_token']),
    cancelRequested: row['cancel_requested'] === 1,
    eventSeq: Number(row['event_seq']),
    progressPct: numberOrNull(row['progress_pct']),
  };
}

export function glanceOf(row: SqlRow): JobGlance {
  return {
    jobId: String(row['job_id']),
    auditId: textOrNull(row['audit_id']),
    kind: row['kind'] as JobKind,
    status: row['status'] as JobStatus,
    eventSeq: Number(row['event_seq']),
  };
}

export function claimedOf(row: SqlRow): ClaimedJob {
  const { jobId, leaseToken, tenantId, auditId, kind, attempt, maxAttempts, payload, eventSeq, progressPct } =
    jobOf(row);
  return {
    jobId,
    leaseToken,
    tenantId,
    tenant: String(row['slug']),
    auditId,
    kind,
    attempt,
    maxAttempts,
    payload,
    eventSeq,
    progressPct,
  };
}

export function eventOf(row: SqlRow): JobEvent {
  const data = textOrNull(row['data_json']);
  return {
    eventId: String(row['event_id']),
    jobId: String(row['job_id']),
    auditId: textOrNull(row['audit_id']),
    seq: Number(row['seq']),
    type: row['event_type'] as JobEvent['type'],
    message: textOrNull(row['message']),
    data: data === null ? null : JSON.parse(data),
    progressPct: numberOrNull(row['progress_pct']),
    createdAt: Number(row['created_at']),
  };
}
