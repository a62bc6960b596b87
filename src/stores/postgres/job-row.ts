/** Maps rows of the job tables to the port's types. */
import type {
  ClaimedJob,
  Job,
  JobEvent,
  JobGlance,
  JobKind,
  JobStatus,
  QueueOverview,
} from '../../jobs/index.js';
import { numberOrNull, textOrNull } from '../portable/sql-work.js';
import { asMs, asMsOrNull, type PgRow } from './pg-database.js';

export function jobOf(row: PgRow): Job {
  return {
    jobId: String(row['job_id']),
    tenantId: String(row['tenant_id']),
    auditId: textOrNull(row['audit_id']),
    kind: row['kind'] as JobKind,
    status: row['status'] as JobStatus,
    attempt: Number(row['attempt']),
    maxAttempts: Number(row['max_attempts']),
    queuedAt: asMs(row['queued_at']),
    runAt: asMs(row['run_at']),
    startedAt: asMsOrNull(row['started_at']),
    finishedAt: asMsOrNull(row['finished_at']),
    lockedUntil: asMsOrNull(row['locked_until']),
    lockedBy: textOrNull(row['locked_by']),
    idempotencyKey: String(row['idempotency_key']),
    payload: row['payload_json'],
    lastError: textOrNull(row['last_error']),
    priority: Number(row['priority']),
    leaseToken: Number(row['lease_token']),
    cancelRequested: row['cancel_requested'] === true,
    eventSeq: Number(row['event_seq']),
    progressPct: numberOrNull(row['progress_pct']),
  };
}

export function glanceOf(row: PgRow): JobGlance {
  return {
    jobId: String(row['job_id']),
    auditId: textOrNull(row['audit_id']),
    kind: row['kind'] as JobKind,
    status: row['status'] as JobStatus,
    eventSeq: Number(row['event_seq']),
  };
}

export function claimedOf(row: PgRow): ClaimedJob {
  return {
    jobId: String(row['job_id']),
    leaseToken: Number(row['lease_token']),
    tenantId: String(row['tenant_id']),
    tenant: String(row['slug']),
    auditId: textOrNull(row['audit_id']),
    kind: row['kind'] as JobKind,
    attempt: Number(row['attempt']),
    maxAttempts: Number(row['max_attempts']),
    payload: row['payload_json'],
    eventSeq: Number(row['event_seq']),
    progressPct: numberOrNull(row['progress_pct']),
  };
}

export function eventOf(row: PgRow): JobEvent {
  return {
    eventId: String(row['event_id']),
    jobId: String(row['job_id']),
    auditId: textOrNull(row['audit_id']),
    seq: Number(row['seq']),
    type: row['event_type'] as JobEvent['type'],
    message: textOrNull(row['message']),
    data: row['data_json'] as JobEvent['data'],
    progressPct: numberOrNull(row['progress_pct']),
    createdAt: asMs(row['created_at']),
  };
}

export function overviewOf(row: PgRow | undefined, workers: readonly PgRow[]): QueueOverview {
  const readyMs = row?.['ready_ms'];
  return {
    queued: Number(row?.['queued']),
    running: Number(row?.['running']),
    oldestQueuedMs:
      readyMs === null || readyMs === undefined ? null : Math.max(0, Math.round(Number(readyMs))),
    workers: workers.map((worker) => ({
      workerId: String(worker['locked_by']),
      jobs: Number(worker['jobs']),
      leaseUntil: asMs(worker['lease_until']),
      oldestStartedAt: asMs(worker['started_at']),
    })),
  };
}
