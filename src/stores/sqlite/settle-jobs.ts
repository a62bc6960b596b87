/** The writes of a worker. Each takes effect only under the current lease of a running job. */
import {
  type Lease,
  type NewJobEvent,
  type Renewal,
  type RenewOutcome,
  type Settlement,
  type StepWrite,
  statusAfter,
} from '../../jobs/index.js';
import { storableText } from '../storable.js';
import type { SqlDatabase, SqlRow } from './sql-database.js';

export function renewJob(
  database: SqlDatabase,
  renewal: Renewal,
  { now, leaseMs }: { readonly now: number; readonly leaseMs: number },
): RenewOutcome {
  const held = selectHeld(database, renewal);
  if (!held) return 'lost';
  database.run(RENEW, [now + leaseMs, lastSeq(renewal.events), renewal.jobId]);
  writeEvents(database, held, { events: renewal.events, now });
  return held['cancel_requested'] === 1 ? 'cancel' : 'held';
}

export function settleJob(database: SqlDatabase, settlement: Settlement, now: number): boolean {
  const { jobId, leaseToken, outcome, error = null, delayMs = 0, events, hadSteps, ranMs = 0 } = settlement;
  const held = selectHeld(database, settlement);
  if (!held) return wasSettled(database, settlement);
  const given = statusAfter(outcome);
  const status = given === 'queued' && held['cancel_requested'] === 1 ? 'canceled' : given;
  const finishedAt = status === 'queued' ? null : Math.max(now, Number(held['started_at']));
  database.run(SETTLE, [
    status,
    finishedAt,
    outcome === 'release' ? 1 : 0,
    now + delayMs,
    error === null ? null : storableText(error),
    lastSeq(events),
    jobId,
    leaseToken,
    Math.max(0, Math.round(ranMs)),
  ]);
  writeEvents(database, held, { events, now });
  if (hadSteps && status === 'done') database.run('DELETE FROM audit_job_steps WHERE job_id = ?', [jobId]);
  return true;
}

export function recordStep(database: SqlDatabase, step: StepWrite, now: number): boolean {
  if (!selectHeld(database, step)) return false;
  database.run(RENEW, [now + step.leaseMs, 0, step.jobId]);
  database.run(INSERT_STEP, [step.jobId, step.name, step.result, step.leaseToken, now]);
  return true;
}

/** Idempotent: an event whose number already exists is skipped. */
export function writeEvents(
  database: SqlDatabase,
  job: SqlRow,
  { events, now }: { readonly events: readonly NewJobEvent[]; readonly now: number },
): void {
  for (const { seq, type, message, data, progressPct } of events) {
    database.run(INSERT_EVENT, [
      crypto.randomUUID(),
      job['audit_id'] ?? null,
      job['job_id'] ?? null,
      seq,
      type,
      message === null ? null : storableText(message),
      data === null ? null : JSON.stringify(data),
      progressPct,
      now,
    ]);
  }
}

function selectHeld(database: SqlDatabase, { jobId, leaseToken }: Lease): SqlRow | undefined {
  return database.all(SELECT_HELD, [jobId, leaseToken])[0];
}

/**
 * Whether the same lease has already settled it, so that only the response was lost. A job that was to return to the
 * queue may have been canceled instead.
 */
function wasSettled(database: SqlDatabase, { jobId, leaseToken, outcome }: Settlement): boolean {
  const [row] = database.all(SELECT_SETTLED, [jobId, leaseToken]);
  const status = statusAfter(outcome);
  if (row?.['status'] === status) return true;
  return status === 'queued' && row?.['status'] === 'canceled' && row['cancel_requested'] === 1;
}

function lastSeq(events: readonly NewJobEvent[]): number {
  return events.at(-1)?.seq ?? 0;
}

const SELECT_HELD = `SELECT * FROM audit_jobs WHERE job_id = ? AND lease_token = ? AND status = 'running'`;

const SELECT_SETTLED = 'SELECT status, cancel_requested FROM audit_jobs WHERE job_id = ? AND lease_token = ?';

const RENEW = `UPDATE audit_jobs SET locked_until = ?, event_seq = max(event_seq, ?) WHERE job_id = ?`;

const SETTLE = `UPDATE audit_jobs SET status = ?1, finished_at = ?2, attempt = attempt - ?3,
  run_at = CASE WHEN ?1 = 'queued' THEN ?4 ELSE run_at END, last_error = coalesce(?5, last_error),
  event_seq = max(event_seq, ?6), locked_until = NULL, locked_by = NULL, ran_ms = ran_ms + ?9
  WHERE job_id = ?7 AND lease_token = ?8`;

const INSERT_EVENT = `INSERT INTO audit_progress_events (
  event_id, audit_id, job_id, seq, event_type, message, data_json, progress_pct, created_at
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (job_id, seq) DO NOTHING`;

const INSERT_STEP = `INSERT INTO audit_job_steps (job_id, name, result_json, lease_token, created_at)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (job_id, name) DO NOTHING`;
