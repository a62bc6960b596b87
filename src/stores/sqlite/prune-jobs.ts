/** Drops ended jobs with their events, steps and audits, no more of them at once than a store may be held for. */
import type { SqlDatabase } from './sql-database.js';
import { textOrNull } from './sql-values.js';

/** One call removes so many events at most; a job whose events do not fit goes in a later call. */
const EVENTS_MAX = 500;

/** Jobs that ended before that time, oldest first. Returns how many rows went. */
export function pruneJobs(database: SqlDatabase, before: number, limit: number): number {
  let removed = 0;
  let events = EVENTS_MAX;
  for (const row of database.all(SELECT_OLD, [before, limit])) {
    const jobId = String(row['job_id']);
    const gone = database.all(DELETE_EVENTS, [jobId, events]).length;
    removed += gone;
    events -= gone;
    if (events === 0) break;
    dropJob(database, jobId, textOrNull(row['audit_id']));
    removed++;
  }
  return removed;
}

/** A job without events, and the audit that it worked on. */
function dropJob(database: SqlDatabase, jobId: string, auditId: string | null): void {
  database.run('DELETE FROM audit_job_steps WHERE job_id = ?', [jobId]);
  database.run('DELETE FROM audit_jobs WHERE job_id = ?', [jobId]);
  if (auditId === null) return;
  database.run('DELETE FROM audit_parts WHERE audit_id = ?', [auditId]);
  database.run('DELETE FROM audits WHERE id = ?', [auditId]);
}

const SELECT_OLD = `SELECT job_id, audit_id FROM audit_jobs WHERE status IN ('done', 'failed', 'canceled')
  AND finished_at < ? ORDER BY finished_at LIMIT ?`;

const DELETE_EVENTS = `DELETE FROM audit_progress_events WHERE job_id = ?1 AND seq IN (
  SELECT seq FROM audit_progress_events WHERE job_id = ?1 ORDER BY seq LIMIT ?2
) RETURNING seq`;
