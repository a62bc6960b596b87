/** Deletes ended jobs with their events, steps and audits, in calls that block the store only briefly. */
import type { Removal } from '../../removal.js';
import { textOrNull } from '../portable/sql-work.js';
import type { SqlDatabase } from './sql-database.js';
import { stepTime } from './step-time.js';

/** One call removes at most this many events and pieces of reports; a job with more takes several calls. */
const EVENTS_MAX = 500;
const PIECES_MAX = 16;
/** Removed per statement; the time budget is checked between statements. */
const EVENTS_AT_ONCE = 50;
const PIECES_AT_ONCE = 2;

/** What the current call may still remove. */
class Budget {
  readonly #hasTime = stepTime();
  #events = EVENTS_MAX;
  #pieces = PIECES_MAX;
  removed = 0;

  get isSpent(): boolean {
    return this.#events <= 0 || this.#pieces <= 0 || !this.#hasTime();
  }

  countEvents(count: number): void {
    this.#events -= count;
    this.removed += count;
  }

  countPieces(count: number): void {
    this.#pieces -= count;
    this.removed += count;
  }
}

interface EndedJob {
  readonly jobId: string;
  readonly auditId: string | null;
}

/** Deletes jobs that ended before this time, oldest first. Returns the number of deleted rows. */
export function pruneJobs(database: SqlDatabase, before: number, limit: number): number {
  const budget = new Budget();
  for (const row of database.all(SELECT_OLD, [before, limit])) {
    const job = { jobId: String(row['job_id']), auditId: textOrNull(row['audit_id']) };
    if (!dropJob(database, job, budget) || budget.isSpent) break;
  }
  return budget.removed;
}

/** The job must have ended. */
export function removeJob(database: SqlDatabase, job: EndedJob): Removal {
  return dropJob(database, job, new Budget()) ? 'removed' : 'more';
}

/** Returns false if the budget is spent before the job is deleted. Every call makes progress. */
function dropJob(database: SqlDatabase, { jobId, auditId }: EndedJob, budget: Budget): boolean {
  for (let some = EVENTS_AT_ONCE; some === EVENTS_AT_ONCE; ) {
    some = database.all(DELETE_EVENTS, [jobId, EVENTS_AT_ONCE]).length;
    budget.countEvents(some);
    if (some === EVENTS_AT_ONCE && budget.isSpent) return false;
  }
  for (let some = PIECES_AT_ONCE; auditId !== null && some === PIECES_AT_ONCE; ) {
    some = database.all(DELETE_PIECES, [auditId, PIECES_AT_ONCE]).length;
    budget.countPieces(some);
    if (some === PIECES_AT_ONCE && budget.isSpent) return false;
  }
  database.run('DELETE FROM audit_job_steps WHERE job_id = ?', [jobId]);
  database.run('DELETE FROM audit_jobs WHERE job_id = ?', [jobId]);
  if (auditId !== null) database.run('DELETE FROM audits WHERE id = ?', [auditId]);
  budget.removed++;
  return true;
}

const SELECT_OLD = `SELECT job_id, audit_id FROM audit_jobs WHERE status IN ('done', 'failed', 'canceled')
  AND finished_at < ? ORDER BY finished_at LIMIT ?`;

const DELETE_EVENTS = `DELETE FROM audit_progress_events WHERE job_id = ?1 AND seq IN (
  SELECT seq FROM audit_progress_events WHERE job_id = ?1 ORDER BY seq LIMIT ?2
) RETURNING seq`;

const DELETE_PIECES = `DELETE FROM audit_parts WHERE rowid IN (
  SELECT rowid FROM audit_parts WHERE audit_id = ?1 LIMIT ?2
) RETURNING piece`;
